#include "core/node/child.hpp"

#include <algorithm>

#include "core/base/seconds.hpp"
#include "core/node/heartbeat.hpp"
#include "core/node/relay_request.hpp"

namespace launch {
namespace {

/// A shell's words for "no such command" and "not executable", for the relay's own executable.
constexpr int shell_not_found = 127;
constexpr int shell_not_allowed = 126;
/// Until a child whose link broke has come back, or those below it have come here. They look for a
/// way for two seconds (relay/parent_link).
constexpr milliseconds return_limit{2500};
/// Until a transport knows how the command there ended, if it did.
constexpr milliseconds exit_limit{200};

std::string last_lines(std::string_view text, size_t limit) {
    while (!text.empty() && (text.back() == '\n' || text.back() == '\r'))
        text.remove_suffix(1);
    if (text.size() > limit) text.remove_prefix(text.size() - limit);
    std::string line;
    for (const char c : text) {
        if (c == '\n') {
            line += "; ";
        } else if (static_cast<unsigned char>(c) >= ' ' && c != 0x7f) {
            line += c;
        }
    }
    return line;
}

/// What a relay said on its standard error when it had to end; other words may be anybody's.
std::string last_words(std::string_view text) {
    constexpr std::string_view own = "launch: ";
    const size_t at = text.rfind(own);
    return at == std::string_view::npos ? "" : last_lines(text.substr(at + own.size()), 200);
}

}  // namespace

Block Block::slice(size_t begin, size_t end) const {
    const auto b = static_cast<std::ptrdiff_t>(begin);
    const auto e = static_cast<std::ptrdiff_t>(end);
    Block part;
    part.first = first + static_cast<NodeIndex>(begin);
    part.hosts.assign(hosts.begin() + b, hosts.begin() + e);
    part.ranks.assign(ranks.begin() + b, ranks.begin() + e);
    return part;
}

Child::Child(ChildContext& context, Block block)
    : context_(context),
      block_(std::move(block)),
      tasks_(context.executor),
      changed_(context.executor) {
    if (context_.stage != nullptr) feed_.emplace(*context_.stage);
}

awaitable<void> Child::run() {
    if (adopted_) {
        co_await listen();
        ended_ = true;
        co_return;
    }
    const Host host = block_.hosts.front();
    auto link = co_await connect(host);
    if (link) {
        link_ = std::move(*link);
        co_await serve();
    } else if (!context_.stop.stop_requested()) {
        report_failure(std::move(link.error()));
    }
    ended_ = true;
}

awaitable<Result<std::unique_ptr<FramedLink>>> Child::connect(const Host& host) {
    int code = 0;
    auto link = co_await start_with(host, context_.job.launch_path, code);
    if (link || (code != shell_not_found && code != shell_not_allowed)) co_return link;
    // Not where the head has it: perhaps where this host's user has it.
    Error first = std::move(link.error());
    link = co_await start_with(host, "launch", code);
    if (!link && code == shell_not_found) co_return first;
    co_return link;
}

awaitable<Result<std::unique_ptr<FramedLink>>> Child::start_with(const Host& host,
                                                                 const std::string& path,
                                                                 int& code) {
    StartRequest request = relay_request(host, path, context_.job.policies);
    request.stop = context_.stop;
    auto stream = co_await context_.transport.start(std::move(request));
    if (!stream) co_return std::move(stream.error());
    auto link = std::make_unique<FramedLink>(context_.executor, std::move(*stream));
    auto failure = co_await greet(*link);
    if (!failure) co_return link;
    code = link->stream().exit_code().value_or(0);
    if (failure->cause.empty()) *failure = no_hello_error(host, *link);
    failure->host = host.name;
    failure->kind = ErrorKind::unreachable;
    link->close();
    co_return std::move(*failure);
}

/// Nothing when the child greeted as it should. An Error without a cause: its stream ended.
awaitable<std::optional<Error>> Child::greet(FramedLink& link) {
    bool timed_out = false;
    asio::steady_timer deadline(context_.executor, context_.job.policies.start_timeout);
    deadline.async_wait([&](std::error_code ec) {
        timed_out = !ec;
        if (timed_out) link.close();
    });
    std::stop_callback give_up(context_.stop, [&] { link.close(); });
    auto frame = co_await link.receive();
    deadline.cancel();
    // The timer's handler uses this frame's variables: let it run before they go.
    co_await asio::post(context_.executor, asio::use_awaitable);
    Error error;
    error.operation = "start launch there";
    if (timed_out) {
        error.cause = "no greeting within " + in_seconds(context_.job.policies.start_timeout);
        error.hint = "does a shell profile there wait for something?";
        co_return error;
    }
    if (!frame) {
        error.cause = frame.error().cause + ": \"" + last_lines(link.parser().noise(), 120) + "\"";
        error.hint = "make the shell's start-up files silent where no terminal is";
        co_return error;
    }
    if (!frame->has_value()) co_return error;
    const auto hello = Hello::decode((*frame)->payload);
    if ((*frame)->type != FrameType::hello || !hello) {
        error.cause = "its greeting is not that of launch";
        co_return error;
    }
    if (hello->version != Hello::current_version || hello->build_id != context_.build_id) {
        error.cause = "another build of launch is there (" + hello->build_id.substr(0, 12) +
                      ", here " + context_.build_id.substr(0, 12) + ")";
        error.hint = "copy this executable to that host";
        co_return error;
    }
    // The end of the job may have closed the link since the greeting came: that is no loss.
    if (link.closed()) co_return error;
    co_return std::nullopt;
}

Error Child::no_hello_error(const Host& host, const FramedLink& link) const {
    Error error;
    error.operation = "start launch there";
    const auto code = link.stream().exit_code();
    const std::string said = last_lines(link.stream().error_text(), 200);
    const std::string noise = last_lines(link.parser().noise(), 120);
    if (code == shell_not_found) {
        error.cause = "not found: neither " + context_.job.launch_path + " nor launch in PATH";
        error.hint = "copy the executable to the same path on " + host.name;
        return error;
    }
    if (code == shell_not_allowed) {
        error.cause = "no permission to execute " + context_.job.launch_path;
        error.hint = "chmod +x, or a file system mounted noexec?";
        return error;
    }
    error.cause = "it ended before it greeted";
    if (code) error.cause += " with exit code " + std::to_string(*code);
    if (!said.empty()) error.cause += ": " + said;
    if (!noise.empty()) error.cause += "; it printed \"" + noise + "\"";
    error.hint = "try: ssh " + host.name + " " + context_.job.launch_path + " --version";
    return error;
}

void Child::give_part() {
    link_->send(FrameType::job, context_.job_bytes);
    const SubtreeMessage subtree{block_.first, block_.hosts, block_.ranks, context_.contacts};
    link_->send(FrameType::subtree, subtree.encode());
    link_->send(FrameType::credit, encode_number(context_.window));
    for (const auto& frame : control_.unconfirmed())
        link_->send(frame.type, frame.payload);
    for (const auto& [type, payload] : std::exchange(late_, {}))
        link_->send(type, payload);
    if (finishing_) link_->send(FrameType::finish, {});
}

awaitable<void> Child::write(Link link) {
    co_await link->run_writer();
}

awaitable<void> Child::serve() {
    notice_noise();
    link_->send_magic();
    link_->send(FrameType::hello, Hello{Hello::current_version, context_.build_id}.encode());
    give_part();
    co_await listen();
}

/// Over one link after the other.
awaitable<void> Child::listen() {
    listening_ = true;
    tasks_.spawn(write(link_));
    tasks_.spawn(forward_output());
    if (feed_)
        tasks_.spawn(feed_->run([this](std::string p) { return send_segment(std::move(p)); }));
    for (;;) {
        const Link link = link_;
        for (;;) {
            auto frame = co_await link->receive();
            if (!frame) broken_ = std::move(frame.error());
            if (!frame || !frame->has_value()) break;
            if (handle(**frame)) continue;
            broken_ = Error{
                ErrorKind::internal, "read from the relay", {}, -1, "a malformed message", {}};
            break;
        }
        const bool back = co_await wait_for_return();
        if (!back) break;
    }
    listening_ = false;
    gives_up_ = true;
    changed_.notify();
    link_->close();
    if (feed_) feed_->stop();
    co_await tasks_.join();
    if (!said_bye_ && !cut_off_ && !rest_released()) report_loss();
}

/// Links can be had, and the child has not been told to leave.
bool Child::may_return() const {
    const bool reachable = !context_.contacts.empty() && context_.contacts.front().port != 0;
    return reachable && !said_bye_ && !cut_off_ && !broken_;
}

/// All but the host itself has found another parent.
bool Child::rest_released() const {
    return block_of_others_ == block_.size();
}

/// The link has ended. True: another has taken its place.
awaitable<bool> Child::wait_for_return() {
    const auto deadline = Clock::now() + return_limit;
    bool dead = false;
    if (next_link_ == nullptr && may_return() && !silent_) dead = co_await surely_dead();
    link_->close();
    // Whoever is below a dead relay comes here by itself.
    const auto orphans = [this] { return block_of_others_ + 1 < block_.size(); };
    while (next_link_ == nullptr && may_return() && !rest_released() && (!dead || orphans()) &&
           Clock::now() < deadline)
        co_await changed_.wait_until(deadline);
    if (next_link_ == nullptr) co_return false;
    link_->close();
    past_counts_ += link_->counts();
    link_ = std::move(next_link_);
    missed_beats_ = 0;
    silent_ = false;
    co_return true;
}

/// The transport says that the command it started there has ended.
awaitable<bool> Child::surely_dead() {
    const auto deadline = Clock::now() + exit_limit;
    const Link link = link_;
    asio::steady_timer limit(context_.executor, deadline);
    limit.async_wait([link](std::error_code ec) {
        if (!ec) link->close();
    });
    co_await link->read_left_stream();
    limit.cancel();
    while (!link_->stream().exit_code() && Clock::now() < deadline && next_link_ == nullptr)
        co_await sleep_for(context_.executor, milliseconds{10});
    co_return link_->stream().exit_code().has_value();
}

void Child::attach(Link link, const AttachMessage& message, bool adopted) {
    adopted_ = adopted_ || adopted;
    came_running_ = came_running_ || (adopted && placed());
    ++attached_;
    ++direct_links_;
    control_.acknowledge(message.received.control);
    input_.acknowledge(message.received.data);
    link->send(
        FrameType::attached,
        AttachedMessage{{control_.received(), input_.received()}, context_.contacts}.encode());
    link->send(FrameType::credit, encode_number(context_.window));
    for (const KeptFrames* kept : {&control_, &input_})
        for (const auto& frame : kept->unconfirmed())
            link->send(frame.type, frame.payload);
    for (const auto& entry : context_.orders.entries())
        if (entry.order.number > message.orders) link->send(entry.type, entry.order.encode());
    if (finishing_) link->send(FrameType::finish, {});
    if (!listening_) {
        link_ = std::move(link);
        return;
    }
    tasks_.spawn(write(link));
    newest().close();
    next_link_ = std::move(link);
    link_->close();
    changed_.notify();
}

bool Child::has(NodeIndex node) const {
    return block_.contains(node) &&
           std::none_of(released_.begin(), released_.end(), [node](const auto& range) {
               return node >= range.first && node - range.first < range.count;
           });
}

std::vector<std::vector<RankRun>> Child::ranks_below() const {
    auto ranks = block_.ranks;
    for (const auto& [first, count] : released_)
        for (NodeIndex i = 0; i < count; ++i)
            ranks[first - block_.first + i].clear();
    return ranks;
}

LinkCounts Child::counts() const {
    LinkCounts counts = past_counts_;
    if (link_) counts += link_->counts();
    return counts;
}

void Child::release(NodeIndex first, NodeIndex count) {
    released_.push_back({first, count});
    block_of_others_ += count;
    changed_.notify();
}

bool Child::handle(Frame& frame) {
    switch (frame.type) {
        case FrameType::output:
            outputs_.push_back({link_, std::move(frame.payload)});
            changed_.notify();
            return true;
        case FrameType::nodes_up:
        case FrameType::failure:
        case FrameType::exits:
        case FrameType::notice:
        case FrameType::staged:
        case FrameType::stats:
        case FrameType::fault: return handle_news(frame);
        case FrameType::modex:
        case FrameType::input_wanted:
        case FrameType::input_refused: return handle_kept(frame);
        case FrameType::stage_wanted: return feed_ && feed_->wanted(frame.payload);
        case FrameType::bye: said_bye_ = true; return true;
        case FrameType::ping: {
            const auto ping = PingMessage::decode(frame.payload);
            if (!ping) return false;
            return control_.acknowledge(ping->received.control) &&
                   input_.acknowledge(ping->received.data);
        }
        default: return false;
    }
}

bool Child::handle_news(Frame& frame) {
    const auto news = unwrap_news(frame.payload);
    if (!news) return false;
    const auto verdict = context_.news.take(NewsClass::control, news->header);
    if (verdict == NewsCount::Verdict::unknown) return false;
    if (verdict == NewsCount::Verdict::early) return true;
    const bool fresh = verdict == NewsCount::Verdict::fresh;
    if (fresh && !take_news(frame.type, news->body)) return false;
    context_.upstream.pass(frame.type, frame.payload, *news, fresh);
    // Also what came before: the word about it may have been lost with a link.
    context_.confirm(news->header.origin, 0);
    return true;
}

/// What this node itself learns from news on their way up.
bool Child::take_news(FrameType type, std::string_view body) {
    if (type == FrameType::exits) {
        if (!placed()) return false;
        const auto message = ExitsMessage::decode(body);
        if (!message) return false;
        for (const RankExit& exit : message->exits)
            context_.modex.exited_below(index(), exit.rank, exit.status);
        return true;
    }
    if (type != FrameType::failure) return true;
    const auto message = FailureMessage::decode(body);
    if (!message) return false;
    if (message->was_up && placed())
        for (const uint32_t rank : ranks_of(*message))
            context_.modex.exited_below(index(), rank, {ExitStatus::Kind::lost});
    return true;
}

/// Of the nodes that it is about.
std::vector<uint32_t> Child::ranks_of(const FailureMessage& failure) const {
    std::vector<uint32_t> ranks;
    const auto add = [&](NodeIndex node) {
        if (block_.contains(node))
            for_each_rank(block_.ranks[node - block_.first],
                          [&](uint32_t rank) { ranks.push_back(rank); });
    };
    add(failure.node);
    for (const auto& [first, count] : failure.below)
        for (NodeIndex i = 0; i < count; ++i)
            add(first + i);
    return ranks;
}

bool Child::handle_kept(Frame& frame) {
    const auto taken = control_.take(frame.payload);
    if (!taken) return false;
    if (control_.owed() >= enough_to_confirm) send_ping(announced_starting_);
    return !taken->fresh || take_kept(frame.type, taken->body);
}

bool Child::take_kept(FrameType type, std::string_view body) {
    if (!placed()) return false;  // nobody below has ranks yet
    if (type == FrameType::modex) return context_.modex.from_child(index(), body);
    if (came_running_) return true;  // see Node::adopt
    if (type == FrameType::input_refused) {
        context_.input.refused(input_key());
        return true;
    }
    const auto bytes = decode_number(body);
    if (bytes) context_.input.wanted(input_key(), *bytes);
    return bytes.has_value();
}

/// False where the link has broken; if another takes its place, the child says how to go on.
awaitable<bool> Child::send_segment(std::string payload) {
    const Link link = link_;
    co_return co_await link->send_paced(FrameType::segment, payload);
}

awaitable<void> Child::forward_output() {
    uint64_t taken = 0;
    Link over;
    while (listening_ || !outputs_.empty()) {
        if (outputs_.empty()) {
            co_await changed_.wait();
            continue;
        }
        auto [link, message] = std::move(outputs_.front());
        outputs_.pop_front();
        if (over != link) taken = 0;  // a new link began with a whole window
        over = link;
        taken += message.size();
        const auto news = unwrap_news(message);
        const auto verdict = news ? context_.news.take(NewsClass::output, news->header)
                                  : NewsCount::Verdict::unknown;
        // Where nobody reads any more output is dropped, but its credit goes back all the same:
        // a rank must get rid of what it wrote to be able to end.
        forwarding_ = true;
        if (verdict == NewsCount::Verdict::fresh || verdict == NewsCount::Verdict::known) {
            const bool fresh = verdict == NewsCount::Verdict::fresh;
            const NodeIndex origin = news->header.origin;
            const size_t size = message.size();
            co_await context_.upstream.pass_output(std::move(message), fresh);
            context_.confirm(origin, size);
        }
        forwarding_ = false;
        if (taken >= context_.window / 2 || outputs_.empty())
            over->send(FrameType::credit, encode_number(std::exchange(taken, 0)));
    }
}

void Child::send(FrameType type, std::string_view payload) {
    if (ended_) return;
    if (link_) {
        newest().send(type, payload);
    } else {
        late_.emplace_back(type, payload);
    }
}

void Child::keep(FrameType type, std::string_view body, bool now) {
    if (ended_) return;
    const std::string& payload = control_.keep(type, body);
    if (!link_) return;  // goes with its part
    if (now) {
        newest().send_now(type, payload);
    } else {
        newest().send(type, payload);
    }
}

void Child::send_modex(std::string_view message) {
    keep(FrameType::modex, message, true);
}

void Child::assign(const AssignmentMessage& assignment) {
    for (const auto& part : assignment.parts)
        if (block_.contains(part.node)) block_.ranks[part.node - block_.first] = part.runs;
    if (!ended_) keep(FrameType::assignment, assignment.encode(), true);
}

void Child::send_input(std::string_view bytes) {
    if (link_ && !ended_ && !came_running_)
        newest().send_granted(FrameType::input, input_.keep(FrameType::input, bytes));
}

void Child::finish() {
    finishing_ = true;
    if (link_ && !ended_) newest().send(FrameType::finish, {});
    changed_.notify();
}

void Child::close() {
    cut_off_ = true;
    if (link_) link_->close();
}

void Child::send_ping(bool starting) {
    newest().send(FrameType::ping,
                  PingMessage{starting, {control_.received(), input_.received()}}.encode());
    control_.told();
    input_.told();
}

void Child::announce(bool starting) {
    if (!link_ || !listening_ || announced_starting_ == starting) return;
    announced_starting_ = starting;
    if (link_->take_heard()) missed_beats_ = 0;  // said before it knew
    send_ping(starting);
}

void Child::beat(bool starting, bool on_time) {
    if (!link_ || !listening_ || link_->closed()) return;
    announce(starting);
    if (!link_->take_spoken() || control_.owed() > 0) send_ping(starting);
    const bool heard = link_->take_heard();
    patient_ = starting || (patient_ && !heard);
    missed_beats_ = heard || !on_time ? 0 : missed_beats_ + 1;
    if (missed_beats_ < Heartbeat::limit(patient_)) return;
    silent_ = true;
    link_->close();
}

void Child::report_failure(Error error) {
    error.kind = ErrorKind::unreachable;
    context_.upstream.failure({block_.first, false, {}, std::move(error)});
}

/// The nodes of the block that have found no other parent.
std::vector<FailureMessage::Range> Child::lost_below() {
    std::sort(released_.begin(), released_.end(),
              [](const auto& a, const auto& b) { return a.first < b.first; });
    std::vector<FailureMessage::Range> lost;
    NodeIndex next = block_.first + 1;
    for (const auto& [first, count] : released_) {
        if (first > next) lost.push_back({next, first - next});
        next = std::max(next, first + count);
    }
    const NodeIndex end = block_.first + block_.size();
    if (next < end) lost.push_back({next, end - next});
    return lost;
}

void Child::report_loss() {
    Error error;
    error.kind = ErrorKind::unreachable;
    error.host = block_.hosts.front().name;
    error.operation = "run";
    if (silent_) {
        error.cause = "the host no longer answers";
        error.hint = "its network or the host itself is down";
    } else if (broken_) {
        error.cause = broken_->cause;
    } else if (const auto words = last_words(link_->stream().error_text()); !words.empty()) {
        error.cause = "its relay ended: " + words;
    } else {
        error.cause = "the connection ended";
        error.hint = "its relay or the ssh session was killed, or the host went down";
    }
    const FailureMessage failure{block_.first, true, lost_below(), std::move(error)};
    context_.upstream.failure(failure);
    if (placed()) context_.modex.lose_child(index(), ranks_of(failure));
}

void Child::notice_noise() {
    const std::string noise = link_->parser().noise();
    if (noise.empty()) return;
    context_.upstream.notice({block_.first, false,
                              "the login shell printed \"" + last_lines(noise, 60) +
                                  "\" before launch started; ignored (make its start-up files "
                                  "silent where no terminal is)"});
}

}  // namespace launch
