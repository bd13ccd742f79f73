#include "core/node/child.hpp"

#include "core/base/seconds.hpp"
#include "core/node/heartbeat.hpp"
#include "core/node/relay_request.hpp"

namespace launch {
namespace {

/// A shell's words for "no such command" and "not executable", for the relay's own executable.
constexpr int shell_not_found = 127;
constexpr int shell_not_allowed = 126;

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
      changed_(context.executor) {}

awaitable<void> Child::run() {
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
    for (const auto& [type, payload] : std::exchange(late_, {}))
        link_->send(type, payload);
    if (finishing_) link_->send(FrameType::finish, {});
}

awaitable<void> Child::serve() {
    notice_noise();
    link_->send_magic();
    link_->send(FrameType::hello, Hello{Hello::current_version, context_.build_id}.encode());
    give_part();
    listening_ = true;
    tasks_.spawn(link_->run_writer());
    tasks_.spawn(forward_output());
    co_await listen();
    listening_ = false;
    changed_.notify();
    link_->close();
    co_await tasks_.join();
    if (!finishing_) report_loss();
}

awaitable<void> Child::listen() {
    for (;;) {
        auto frame = co_await link_->receive();
        if (!frame) {
            broken_ = std::move(frame.error());
            co_return;
        }
        if (!frame->has_value()) co_return;
        if (!handle(**frame)) {
            broken_ = Error{
                ErrorKind::internal, "read from the relay", {}, -1, "a malformed message", {}};
            co_return;
        }
    }
}

bool Child::handle(Frame& frame) {
    Upstream& up = context_.upstream;
    switch (frame.type) {
        case FrameType::output:
            outputs_.push_back(std::move(frame.payload));
            changed_.notify();
            return true;
        case FrameType::nodes_up: {
            const auto message = NodesMessage::decode(frame.payload);
            if (!message) return false;
            nodes_up_ += static_cast<NodeIndex>(message->nodes.size());
            up.nodes_up(message->nodes);
            return true;
        }
        case FrameType::failure: {
            const auto message = FailureMessage::decode(frame.payload);
            if (message) up.failure(*message);
            return message.has_value();
        }
        case FrameType::exits: {
            const auto message = ExitsMessage::decode(frame.payload);
            if (!message || context_.job.ranks == 0) return false;
            for (const RankExit& exit : message->exits)
                context_.modex.exited_below(index(), exit.rank, exit.status);
            up.exits(message->exits);
            return true;
        }
        case FrameType::modex:
            return context_.job.ranks > 0 && context_.modex.from_child(index(), frame.payload);
        case FrameType::fault: {
            const auto message = FaultMessage::decode(frame.payload);
            if (message) up.fault(*message);
            return message.has_value();
        }
        case FrameType::notice: {
            const auto message = NoticeMessage::decode(frame.payload);
            if (message) up.notice(*message);
            return message.has_value();
        }
        case FrameType::input_wanted: {
            const auto bytes = decode_number(frame.payload);
            if (!bytes) return false;
            context_.input.wanted(input_key(), *bytes);
            return true;
        }
        case FrameType::input_refused: context_.input.refused(input_key()); return true;
        case FrameType::ping: return true;
        default: return false;
    }
}

awaitable<void> Child::forward_output() {
    uint64_t taken = 0;
    while (listening_ || !outputs_.empty()) {
        if (outputs_.empty()) {
            co_await changed_.wait();
            continue;
        }
        std::string message = std::move(outputs_.front());
        outputs_.pop_front();
        taken += message.size();
        // Where nobody reads any more output is dropped, but its credit goes back all the same:
        // a rank must get rid of what it wrote to be able to end.
        forwarding_ = true;
        co_await context_.upstream.output(std::move(message));
        forwarding_ = false;
        if (taken >= context_.window / 2 || outputs_.empty())
            link_->send(FrameType::credit, encode_number(std::exchange(taken, 0)));
    }
}

void Child::send(FrameType type, std::string_view payload) {
    if (ended_) return;
    if (link_) {
        link_->send(type, payload);
    } else {
        late_.emplace_back(type, payload);
    }
}

void Child::send_now(FrameType type, std::string_view payload) {
    if (link_ && !ended_) {
        link_->send_now(type, payload);
    } else {
        send(type, payload);
    }
}

void Child::send_input(std::string_view bytes) {
    if (link_ && !ended_) link_->send_granted(FrameType::input, bytes);
}

void Child::finish() {
    finishing_ = true;
    if (link_ && !ended_) link_->send(FrameType::finish, {});
}

void Child::close() {
    if (link_) link_->close();
}

void Child::announce(bool starting) {
    if (!link_ || !listening_ || announced_starting_ == starting) return;
    announced_starting_ = starting;
    link_->send(FrameType::ping, encode_number(starting ? 1 : 0));
}

void Child::beat(bool starting, bool on_time) {
    if (!link_ || !listening_) return;
    announce(starting);
    if (!link_->take_spoken()) link_->send(FrameType::ping, encode_number(starting ? 1 : 0));
    missed_beats_ = link_->take_heard() || !on_time ? 0 : missed_beats_ + 1;
    if (missed_beats_ < Heartbeat::limit(starting)) return;
    silent_ = true;
    link_->close();
}

void Child::report_failure(Error error) {
    error.kind = ErrorKind::unreachable;
    context_.upstream.failure({block_.first, false, 0, std::move(error)});
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
    context_.upstream.failure({block_.first, true, block_.size() - 1, std::move(error)});
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
