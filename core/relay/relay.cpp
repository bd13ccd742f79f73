#include "core/relay/relay.hpp"

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <fcntl.h>
#include <sstream>
#include <unistd.h>

#include "core/async/run.hpp"
#include "core/io/fd_stream.hpp"
#include "core/node/heartbeat.hpp"
#include "core/node/node.hpp"
#include "core/node/phase_counts.hpp"
#include "core/node/phase_times.hpp"
#include "core/relay/parent_link.hpp"

namespace launch {
namespace {

/// How long the ranks get to end when the parent is gone: all is to be over in five seconds,
/// of which the silence may have taken four.
constexpr milliseconds orphan_grace{500};
constexpr milliseconds leave_limit{3000};
/// Files of that size are worth a direct link before their first byte has come.
constexpr uint64_t much_data = 1u << 20;
/// From the greeting until a relay is told what to do: the next that its parent says.
constexpr milliseconds part_limit{20'000};

/// The streams that the transport gave us; afterwards nothing here reads or writes 0 and 1.
std::unique_ptr<ByteStream> take_streams(any_io_executor executor) {
    UniqueFd in(fcntl(0, F_DUPFD_CLOEXEC, 3));
    UniqueFd out(fcntl(1, F_DUPFD_CLOEXEC, 3));
    const UniqueFd null(open("/dev/null", O_RDWR | O_CLOEXEC));
    dup2(null.get(), 0);
    dup2(null.get(), 1);
    return std::make_unique<FdStream>(executor, std::move(in), std::move(out));
}

/// The addresses from which and by which this process was reached, where the remote service says so
/// (sshd's SSH_CONNECTION); empty: unknown.
struct Reached {
    std::string from;
    std::string by;
};

Reached reached(const JobMessage& job) {
    if (job.transport.name == "local") return {"127.0.0.1", "127.0.0.1"};
    const char* connection = std::getenv("SSH_CONNECTION");
    std::istringstream words(connection != nullptr ? connection : "");
    Reached reached;
    std::string port;
    words >> reached.from >> port >> reached.by;
    return reached;
}

class Relay : public Upstream {
  public:
    Relay(asio::io_context& io, const Factories& factories, const Guard& guard)
        : executor_(io.get_executor()),
          factories_(factories),
          guard_(guard),
          link_(executor_, take_streams(executor_), build_id_),
          reaper_(executor_),
          signals_(executor_, SIGTERM, SIGINT, SIGHUP),
          clock_(executor_),
          changed_(executor_),
          tasks_(executor_) {}

    awaitable<void> run();

    void nodes_up(const std::vector<NodeIndex>& nodes) override {
        accounted_ += nodes.size();
        note_up();
        link_.news(FrameType::nodes_up, NodesMessage{nodes}.encode());
    }
    void failure(const FailureMessage& failure) override {
        take_account(failure);
        link_.news(FrameType::failure, failure.encode());
    }
    void exits(const std::vector<RankExit>& exits) override {
        link_.news(FrameType::exits, ExitsMessage{exits}.encode());
    }
    void notice(const NoticeMessage& notice) override {
        link_.news(FrameType::notice, notice.encode());
    }
    void fault(const FaultMessage& fault) override { link_.news(FrameType::fault, fault.encode()); }
    void contacts(const ContactsMessage& contacts) override {
        link_.keep(FrameType::contacts, contacts.encode(), false);
    }
    void routed(const RoutedMessage& routed) override {
        link_.news(FrameType::routed, routed.encode());
        if (std::exchange(over_when_linked_, false)) go_over(true);
    }
    void staged(const std::vector<NodeIndex>& nodes) override {
        link_.news(FrameType::staged, NodesMessage{nodes}.encode());
    }
    void stage_wanted(const WantedMessage& message) override {
        link_.pass(FrameType::stage_wanted, message.encode());
    }
    awaitable<bool> output(std::string message) override {
        return link_.output(std::move(message));
    }
    void pass(FrameType type, std::string_view payload, const News& news, bool fresh) override {
        if (fresh) take_account_of(type, news.body);
        note_up();
        link_.pass(type, payload);
    }
    awaitable<bool> pass_output(std::string payload, bool) override {
        return link_.pass_output(std::move(payload));
    }
    void modex(std::string message) override { link_.keep(FrameType::modex, message, true); }
    void input_wanted(uint64_t bytes) override {
        link_.keep(FrameType::input_wanted, encode_number(bytes), false);
    }
    void input_refused() override { link_.keep(FrameType::input_refused, {}, false); }

  private:
    /// Somebody above or below is still being started: silence is more likely haste than death.
    bool starting() const { return link_.parent_starting() || accounted_ < block_size_; }
    awaitable<void> listen();
    bool handle(const Frame& frame);
    bool obey(const Frame& frame);
    bool start(std::string_view payload);
    bool assign(std::string_view payload);
    bool reroute(std::string_view payload);
    void go_over(bool late);
    void take_account(const FailureMessage& failure);
    void take_account_of(FrameType type, std::string_view news);
    void open_link(std::vector<Contact> ancestors);
    void direct_link_failed(Error error);
    awaitable<void> wait_for_part();
    awaitable<void> watch_signals();
    awaitable<void> keep_time();
    awaitable<void> leave();
    LinkCounts counts() const;
    void begin(JobPhase phase) {
        if (job_.policies.stats) phases_.begin(phase, counts());
    }
    void tell_stats();
    void note_up() {
        if (accounted_ < block_size_ || times_.up != Clock::time_point()) return;
        times_.up = Clock::now();
        begin(job_.ranks > 0 ? JobPhase::run : JobPhase::place);
    }

    any_io_executor executor_;
    const Factories& factories_;
    const Guard& guard_;
    std::string build_id_ = own_build_id();
    ParentLink link_;
    Reaper reaper_;
    asio::signal_set signals_;
    asio::steady_timer clock_;
    Event changed_;
    TaskGroup tasks_;
    std::string job_bytes_;
    JobMessage job_;
    std::unique_ptr<Topology> topology_;
    std::unique_ptr<Topology> routing_;  ///< null: as the job was started
    std::unique_ptr<Transport> transport_;
    std::unique_ptr<Node> node_;
    NodeIndex self_ = 0;
    std::string host_;
    PhaseTimes times_;
    PhaseCounts phases_;
    bool told_to_finish_ = false;
    bool parent_gone_ = false;
    bool parent_paused_ = false;
    bool rerouted_ = false;
    bool over_when_linked_ = false;
    size_t block_size_ = 0;
    size_t accounted_ = 0;
    bool stopping_ = false;
};

bool Relay::start(std::string_view payload) {
    auto subtree = SubtreeMessage::decode(payload);
    if (!subtree || job_bytes_.empty() || node_) return false;
    Block block{subtree->first, std::move(subtree->hosts), std::move(subtree->ranks)};
    block_size_ = block.hosts.size();
    times_.told = Clock::now();
    auto topology = factories_.topology(job_.topology, 0, job_.nodes + 1, nullptr);
    if (!topology) return false;
    topology_ = std::move(*topology);
    if (!job_.routing.empty()) {
        auto routing = factories_.topology(job_.routing, 0, job_.nodes + 1, nullptr);
        if (!routing) return false;
        routing_ = std::move(*routing);
    }
    const NodeIndex self = self_ = block.first;
    host_ = block.hosts.front().name;
    link_.set_origin(self);
    auto note = [this, self](const std::string& host, const std::string& text) {
        notice({self, true, host + ": " + text});
    };
    auto transport = factories_.transport(executor_, job_.transport, reaper_, note);
    if (!transport) return false;
    transport_ = std::move(*transport);
    node_ = std::make_unique<Node>(
        executor_,
        Node::Settings{job_, job_bytes_, build_id_, *topology_, routing_.get(), *transport_,
                       factories_.modex, factories_.links, guard_},
        reaper_, *this);
    auto ancestors = std::move(subtree->ancestors);
    if (!ancestors.empty() && ancestors.front().address.empty())
        ancestors.front().address = reached(job_).from;
    node_->open(block, ancestors, reached(job_).by);
    open_link(std::move(ancestors));
    nodes_up({self});
    node_->start(block, true);
    changed_.notify();
    return true;
}

bool Relay::assign(std::string_view payload) {
    auto assignment = AssignmentMessage::decode(payload);
    if (!assignment || !node_) return false;
    if (job_.ranks > 0) return true;  // from the parent before this one
    const auto placement = JobPlacement::decode(assignment->job);
    if (!placement || !placement->apply_to(job_)) return false;
    accounted_ = block_size_;  // nobody else is started any more
    note_up();
    begin(JobPhase::run);
    node_->assign(std::move(*assignment));
    return true;
}

/// Who was late to be told of the nodes has no link yet when it is told to go over.
bool Relay::reroute(std::string_view payload) {
    const auto go = decode_number(payload);
    if (!go || !node_ || !node_->has_routes()) return false;
    if (*go == 0) return node_->reroute(false);
    if (node_->routing().linked)
        go_over(false);
    else
        over_when_linked_ = true;
    return true;
}

/// Its children first: what the new parent says is for them too.
void Relay::go_over(bool late) {
    node_->reroute(true);
    if (std::exchange(rerouted_, true)) return;
    accounted_ = block_size_;
    const Routing& routing = node_->routing();
    const RouteTable& table = *routing.table;
    link_.reroute({routing.moves, late, routing.parent, table.block().size(), table.ancestors()});
}

/// They run, or never will.
void Relay::take_account_of(FrameType type, std::string_view news) {
    if (type == FrameType::nodes_up) {
        const auto message = NodesMessage::decode(news);
        accounted_ += message ? message->nodes.size() : 0;
    }
    if (type != FrameType::failure) return;
    const auto message = FailureMessage::decode(news);
    if (message) take_account(*message);
}

void Relay::take_account(const FailureMessage& failure) {
    accounted_ += 1 + failure.count_below();
    if (node_) node_->account(failure);
}

void Relay::open_link(std::vector<Contact> ancestors) {
    ParentLink::Kin kin;
    kin.self = self_;
    kin.size = static_cast<NodeIndex>(block_size_);
    kin.choice = job_.policies.links.choice;
    kin.connect_timeout = job_.policies.connect_timeout;
    kin.links = node_->links();
    kin.ancestors = std::move(ancestors);
    kin.orders = [this] { return node_->orders(); };
    kin.adopted = [this] { node_->new_parent(); };
    kin.failed = [this](const Error& error) { direct_link_failed(error); };
    link_.open(std::move(kin));
    if (job_.stage.bytes() >= much_data) link_.expect_much();
}

void Relay::direct_link_failed(Error error) {
    if (job_.policies.links.choice != LinkChoice::direct) {
        notice({self_, true, describe(error) + "; goes on over the transport's streams"});
        return;
    }
    error.host = host_;
    error.hint =
        "a firewall between the hosts? --links auto does without, --link-ports names ports";
    const auto below = static_cast<NodeIndex>(block_size_ - 1);
    failure({self_, true, {{self_ + 1, below}}, std::move(error)});
}

bool Relay::obey(const Frame& frame) {
    const auto order = OrderMessage::decode(frame.payload);
    if (!order || !node_) return false;
    if (frame.type == FrameType::pause) parent_paused_ = true;  // until it continues
    if (frame.type == FrameType::signal && order->value == SIGCONT) parent_paused_ = false;
    node_->obey(frame.type, *order);
    return true;
}

bool Relay::handle(const Frame& frame) {
    switch (frame.type) {
        case FrameType::job: {
            auto job = JobMessage::decode(frame.payload);
            if (!job || !job_bytes_.empty()) return false;
            job_ = std::move(*job);
            job_bytes_ = frame.payload;
            tasks_.spawn(keep_time());
            return true;
        }
        case FrameType::subtree: return start(frame.payload);
        case FrameType::assignment: return assign(frame.payload);
        case FrameType::routes: return node_ && node_->route(frame.payload);
        case FrameType::reroute: return reroute(frame.payload);
        case FrameType::released: return node_ && node_->release(frame.payload);
        case FrameType::ping:
            if (node_) node_->announce(starting());
            return true;
        case FrameType::input:
            if (node_) node_->give_input(frame.payload);
            return true;
        case FrameType::modex: return node_ && node_->modex_from_parent(frame.payload);
        case FrameType::segment: return node_ && node_->give_segment(frame.payload);
        case FrameType::ack: return node_ && node_->pass_ack(frame.payload);
        case FrameType::resend:
            if (node_) node_->ask_again();
            return true;
        case FrameType::finish: told_to_finish_ = true; return true;
        case FrameType::pause:
        case FrameType::want_contacts:
        case FrameType::signal:
        case FrameType::terminate: return obey(frame);
        default: return false;
    }
}

/// To the end of the link: also while this relay leaves, credit must come through for what is
/// still on its way up.
awaitable<void> Relay::listen() {
    for (;;) {
        auto frame = co_await link_.receive();
        if (!frame || !handle(*frame)) break;
        if (told_to_finish_) changed_.notify();
    }
    parent_gone_ = true;
    link_.close();
    changed_.notify();
}

/// Who greeted and then says nothing any more is gone.
awaitable<void> Relay::wait_for_part() {
    const auto deadline = Clock::now() + part_limit;
    while (!node_ && !parent_gone_ && Clock::now() < deadline)
        co_await changed_.wait_until(deadline);
    if (!node_) link_.close();
}

awaitable<void> Relay::watch_signals() {
    std::error_code ec;
    auto token = asio::redirect_error(asio::use_awaitable, ec);
    co_await signals_.async_wait(token);
    // Whoever ends a relay ends its host's part of the job. The parent sees the link end, and so do
    // those below, who find another.
    if (stopping_) co_return;
    if (node_) node_->leave_children();
    link_.close();
}

awaitable<void> Relay::keep_time() {
    Heartbeat heart(job_.policies.liveness);
    while (heart.enabled() && !stopping_) {
        clock_.expires_at(heart.next());
        std::error_code ec;
        auto token = asio::redirect_error(asio::use_awaitable, ec);
        co_await clock_.async_wait(token);
        if (ec || stopping_) continue;
        const bool on_time = heart.take();
        if (node_) node_->beat(starting(), on_time);
        link_.beat(starting(), parent_paused_ || !on_time);
    }
}

awaitable<void> Relay::leave() {
    if (!node_) co_return;
    if (parent_gone_) node_->lose_parent();
    if (!told_to_finish_)
        node_->obey(
            FrameType::terminate,
            {node_->orders() + 1,
             static_cast<uint64_t>(std::min(orphan_grace, job_.policies.kill_grace).count())});
    co_await node_->finish(told_to_finish_ ? leave_limit : orphan_grace * 2);
}

LinkCounts Relay::counts() const {
    LinkCounts counts = link_.counts();
    if (node_) counts += node_->counts();
    return counts;
}

void Relay::tell_stats() {
    if (!node_ || !job_.policies.stats) return;
    NodeStats stats = node_->stats();
    stats.links += link_.open_links();
    stats.direct_links += link_.is_direct() ? 1U : 0U;
    stats.counts = phases_.close(counts());
    stats.start_us = times_.between(times_.began, times_.told);
    stats.up_us = times_.between(times_.told, times_.up);
    stats.end_us = times_.between(times_.ending, Clock::now());
    link_.news(FrameType::stats, stats.encode());
}

awaitable<void> Relay::run() {
    tasks_.spawn(reaper_.run());
    tasks_.spawn(watch_signals());
    const bool greeted = co_await link_.greet();
    if (greeted) {
        tasks_.spawn(listen());
        tasks_.spawn(wait_for_part());
        while (!told_to_finish_ && !parent_gone_)
            co_await changed_.wait();
    }
    times_.ending = Clock::now();
    begin(JobPhase::end);
    if (!told_to_finish_) link_.close();
    co_await leave();
    stopping_ = true;
    clock_.cancel();
    signals_.cancel();
    reaper_.stop();
    tell_stats();
    co_await link_.finish();
    link_.close();
    co_await tasks_.join();
    if (node_) co_await node_->close_links();
}

}  // namespace

int run_relay(const Factories& factories, const Guard& guard) {
    signal(SIGPIPE, SIG_IGN);
    asio::io_context io(1);
    Relay relay(io, factories, guard);
    run_to_end(io, relay.run());
    return 0;
}

}  // namespace launch
