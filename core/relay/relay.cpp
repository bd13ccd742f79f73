#include "core/relay/relay.hpp"

#include <algorithm>
#include <csignal>
#include <fcntl.h>
#include <unistd.h>

#include "core/async/run.hpp"
#include "core/io/fd_stream.hpp"
#include "core/node/heartbeat.hpp"
#include "core/node/node.hpp"
#include "core/relay/uplink.hpp"

namespace launch {
namespace {

/// How long the ranks get to end when the parent is gone: all is to be over in five seconds,
/// of which the silence may have taken four.
constexpr milliseconds orphan_grace{500};
constexpr milliseconds hello_limit{60'000};
constexpr milliseconds leave_limit{3000};

/// The streams that the transport gave us; afterwards nothing here reads or writes 0 and 1.
std::unique_ptr<ByteStream> take_streams(any_io_executor executor) {
    UniqueFd in(fcntl(0, F_DUPFD_CLOEXEC, 3));
    UniqueFd out(fcntl(1, F_DUPFD_CLOEXEC, 3));
    const UniqueFd null(open("/dev/null", O_RDWR | O_CLOEXEC));
    dup2(null.get(), 0);
    dup2(null.get(), 1);
    return std::make_unique<FdStream>(executor, std::move(in), std::move(out));
}

class Relay : public Upstream {
  public:
    Relay(asio::io_context& io, const Factories& factories, const Guard& guard)
        : executor_(io.get_executor()),
          factories_(factories),
          guard_(guard),
          link_(executor_, take_streams(executor_)),
          reaper_(executor_),
          signals_(executor_, SIGTERM, SIGINT, SIGHUP),
          clock_(executor_),
          changed_(executor_),
          writing_(executor_),
          tasks_(executor_) {}

    awaitable<void> run();

    void nodes_up(const std::vector<NodeIndex>& nodes) override {
        accounted_ += nodes.size();
        link_.send(FrameType::nodes_up, NodesMessage{nodes}.encode());
    }
    void failure(const FailureMessage& failure) override {
        accounted_ += 1 + failure.below;
        link_.send(FrameType::failure, failure.encode());
    }
    void exits(const std::vector<RankExit>& exits) override {
        link_.send(FrameType::exits, ExitsMessage{exits}.encode());
    }
    void notice(const NoticeMessage& notice) override {
        link_.send(FrameType::notice, notice.encode());
    }
    void fault(const FaultMessage& fault) override { link_.send(FrameType::fault, fault.encode()); }
    void modex(std::string message) override {
        link_.send_now(FrameType::modex, message);
        if (uplink_) uplink_->said();
    }
    void input_wanted(uint64_t bytes) override {
        link_.send(FrameType::input_wanted, encode_number(bytes));
    }
    void input_refused() override { link_.send(FrameType::input_refused, {}); }
    awaitable<bool> output(std::string message) override {
        return link_.send_data(FrameType::output, std::move(message));
    }

  private:
    /// Somebody above or below is still being started: silence is more likely haste than death.
    bool starting() const { return parent_starting_ || accounted_ < block_size_; }
    awaitable<bool> greet();
    awaitable<void> listen();
    bool handle(const Frame& frame);
    bool handle_number(const Frame& frame);
    bool start(std::string_view payload);
    bool assign(std::string_view payload);
    void open_uplink(const Contact& parent);
    void uplink_failed(Error error);
    awaitable<void> watch_signals();
    awaitable<void> keep_time();
    awaitable<void> leave();

    any_io_executor executor_;
    const Factories& factories_;
    const Guard& guard_;
    FramedLink link_;
    Reaper reaper_;
    asio::signal_set signals_;
    asio::steady_timer clock_;
    Event changed_;
    TaskGroup writing_;
    TaskGroup tasks_;
    std::string build_id_ = own_build_id();
    std::string job_bytes_;
    JobMessage job_;
    std::unique_ptr<Topology> topology_;
    std::unique_ptr<Transport> transport_;
    std::unique_ptr<Node> node_;
    std::optional<Uplink> uplink_;
    NodeIndex self_ = 0;
    std::string host_;
    bool told_to_finish_ = false;
    bool parent_gone_ = false;
    bool parent_paused_ = false;
    bool parent_starting_ = true;
    size_t block_size_ = 0;
    size_t accounted_ = 0;
    bool stopping_ = false;
    int missed_beats_ = 0;
};

awaitable<bool> Relay::greet() {
    link_.send_magic();
    link_.send(FrameType::hello, Hello{Hello::current_version, build_id_}.encode());
    asio::steady_timer deadline(executor_, hello_limit);
    deadline.async_wait([this](std::error_code ec) {
        if (!ec) link_.close();
    });
    auto frame = co_await link_.receive();
    deadline.cancel();
    if (!frame || !frame->has_value() || (*frame)->type != FrameType::hello) co_return false;
    const auto hello = Hello::decode((*frame)->payload);
    co_return hello && hello->version == Hello::current_version && hello->build_id == build_id_;
}

bool Relay::start(std::string_view payload) {
    auto subtree = SubtreeMessage::decode(payload);
    if (!subtree || job_bytes_.empty() || node_) return false;
    Block block{subtree->first, std::move(subtree->hosts), std::move(subtree->ranks)};
    block_size_ = block.hosts.size();
    auto topology = factories_.topology(job_.topology, 0, job_.nodes + 1, nullptr);
    if (!topology) return false;
    topology_ = std::move(*topology);
    const NodeIndex self = self_ = block.first;
    host_ = block.hosts.front().name;
    auto note = [this, self](const std::string& host, const std::string& text) {
        notice({self, true, host + ": " + text});
    };
    auto transport = factories_.transport(executor_, job_.transport, reaper_, note);
    if (!transport) return false;
    transport_ = std::move(*transport);
    node_ =
        std::make_unique<Node>(executor_,
                               Node::Settings{job_, job_bytes_, build_id_, *topology_, *transport_,
                                              factories_.modex, factories_.links, guard_},
                               reaper_, *this);
    nodes_up({self});
    auto ancestors = std::move(subtree->ancestors);
    if (!ancestors.empty() && ancestors.front().address.empty())
        ancestors.front().address = job_.transport.name == "local" ? "127.0.0.1" : caller_address();
    node_->start(block, true, ancestors);
    if (!ancestors.empty()) open_uplink(ancestors.front());
    return true;
}

bool Relay::assign(std::string_view payload) {
    const auto assignment = AssignmentMessage::decode(payload);
    if (!assignment || !node_ || job_.ranks > 0) return false;
    const auto placement = JobPlacement::decode(assignment->job);
    if (!placement || !placement->apply_to(job_)) return false;
    accounted_ = block_size_;  // nobody else is started any more
    node_->assign(*assignment);
    return true;
}

void Relay::open_uplink(const Contact& parent) {
    const LinkChoice choice = job_.policies.links.choice;
    auto failed = [this](const Error& error) { uplink_failed(error); };
    if (node_->links() == nullptr) return;
    if (parent.usable()) {
        uplink_.emplace(executor_, link_, *node_->links(), parent, choice, failed);
        tasks_.spawn(uplink_->run());
    } else if (choice == LinkChoice::direct) {
        failed(Error{
            ErrorKind::unreachable,
            "open a direct link",
            {},
            -1,
            parent.port == 0 ? "the parent takes none" : "no address of the parent is known here",
            {}});
    }
}

void Relay::uplink_failed(Error error) {
    if (job_.policies.links.choice != LinkChoice::direct) {
        notice({self_, true, describe(error) + "; goes on over the transport's streams"});
        return;
    }
    error.host = host_;
    error.hint =
        "a firewall between the hosts? --links auto does without, --link-ports names ports";
    failure({self_, true, static_cast<NodeIndex>(block_size_ - 1), std::move(error)});
}

bool Relay::handle_number(const Frame& frame) {
    const auto number = decode_number(frame.payload);
    if (!number) return false;
    switch (frame.type) {
        case FrameType::credit: link_.add_credit(*number); return true;
        case FrameType::ping:
            parent_starting_ = *number != 0;
            if (node_) node_->announce(starting());
            return true;
        case FrameType::signal:
            if (*number == SIGCONT) parent_paused_ = false;
            if (node_ && *number < NSIG) node_->signal(static_cast<int>(*number));
            return true;
        case FrameType::terminate:
            if (node_) node_->terminate(milliseconds{std::min<uint64_t>(*number, UINT32_MAX)});
            return true;
        default: return false;
    }
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
        case FrameType::input:
            if (node_) node_->give_input(frame.payload);
            return true;
        case FrameType::modex: return node_ && node_->modex_from_parent(frame.payload);
        case FrameType::finish: told_to_finish_ = true; return true;
        case FrameType::pause:
            parent_paused_ = true;  // until it continues, and its ranks with it
            if (node_) node_->pause();
            return true;
        default: return handle_number(frame);
    }
}

/// To the end of the link: also while this relay leaves, credit must come through for what is
/// still on its way up.
awaitable<void> Relay::listen() {
    for (;;) {
        auto frame = co_await link_.receive();
        if (!frame || !frame->has_value() || !handle(**frame)) break;
        if (told_to_finish_) changed_.notify();
    }
    parent_gone_ = true;
    link_.close();
    changed_.notify();
}

awaitable<void> Relay::watch_signals() {
    std::error_code ec;
    auto token = asio::redirect_error(asio::use_awaitable, ec);
    co_await signals_.async_wait(token);
    // Whoever ends a relay ends its part of the job; the parent sees the link end.
    if (!stopping_) link_.close();
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
        if (uplink_) uplink_->beat();
        if (node_) node_->beat(starting(), on_time);
        if (!link_.take_spoken()) link_.send(FrameType::ping, encode_number(0));
        const bool excused = parent_paused_ || !on_time;
        missed_beats_ = link_.take_heard() || excused ? 0 : missed_beats_ + 1;
        if (missed_beats_ >= Heartbeat::limit(starting())) link_.close();
    }
}

awaitable<void> Relay::leave() {
    if (!node_) co_return;
    if (!told_to_finish_) node_->terminate(std::min(orphan_grace, job_.policies.kill_grace));
    co_await node_->finish(told_to_finish_ ? leave_limit : orphan_grace * 2);
}

awaitable<void> Relay::run() {
    writing_.spawn(link_.run_writer());
    tasks_.spawn(reaper_.run());
    tasks_.spawn(watch_signals());
    const bool greeted = co_await greet();
    if (greeted) {
        tasks_.spawn(listen());
        while (!told_to_finish_ && !parent_gone_)
            co_await changed_.wait();
    }
    if (!told_to_finish_) link_.close();
    if (uplink_) uplink_->stop();
    co_await leave();
    stopping_ = true;
    clock_.cancel();
    signals_.cancel();
    reaper_.stop();
    link_.finish_writing();
    co_await writing_.join();
    link_.close();
    co_await tasks_.join();
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
