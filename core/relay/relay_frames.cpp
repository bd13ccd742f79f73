// What a relay's parent says, and what it learns from below.

#include <csignal>

#include "core/relay/reached.hpp"
#include "core/relay/relay_run.hpp"

namespace launch {
namespace {

/// Files of that size are worth a direct link before their first byte has come.
constexpr uint64_t much_data = 1u << 20;

}  // namespace

bool RelayRun::start(std::string_view payload) {
    auto subtree = SubtreeMessage::decode(payload);
    if (!subtree || job_bytes_.empty() || node_) return false;
    const Block block{subtree->first, std::move(subtree->hosts), subtree->generation};
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
    node_ = std::make_unique<Node>(executor_,
                                   Node::Settings{job_, job_bytes_, build_id_, *topology_,
                                                  routing_.get(), *transport_, factories_.links},
                                   *this);
    node_job_ = std::make_unique<NodeJob>(
        executor_, NodeJob::Settings{job_, factories_.modex, guard_}, reaper_, *this, *node_);
    auto ancestors = std::move(subtree->ancestors);
    const Reached addresses = reached(job_);
    if (!ancestors.empty() && ancestors.front().address.empty())
        ancestors.front().address = addresses.from;
    node_->open(block, {ancestors, addresses.by, std::move(subtree->key)});
    node_job_->open({self, host_, true, std::move(subtree->ranks)});
    open_link(std::move(ancestors), block.generation);
    if (node_job_->looks_first())
        tasks_.spawn(come_up());
    else
        nodes_up({self});
    node_job_->start();
    changed_.notify();
    return true;
}

/// Those below are started meanwhile.
awaitable<void> RelayRun::come_up() {
    co_await node_job_->check();
    nodes_up({self_});
}

bool RelayRun::assign(std::string_view payload) {
    auto assignment = AssignmentMessage::decode(payload);
    if (!assignment || !node_) return false;
    if (job_.ranks > 0) return true;  // from the parent before this one
    const auto placement = JobPlacement::decode(assignment->job);
    if (!placement || !placement->apply_to(job_)) return false;
    settled_ = block_size_;  // nobody else is started any more
    note_up();
    begin(JobPhase::run);
    node_job_->assign(std::move(*assignment));
    return true;
}

/// This relay's own place comes after its children's: what a new parent says is for them too.
void RelayRun::go_over() {
    settled_ = block_size_;
    const RouteTable& table = *node_->routing().table;
    link_.reroute(table.block().size(), table.ancestors());
}

/// The link has been renewed, or leads to the place that this node was looking for.
void RelayRun::take_place() {
    const bool looked = node_->goes_over() && node_->routing().phase == Routing::Phase::moving;
    if (looked) {
        const Contact& wanted = node_->routing().table->ancestors().front();
        RoutedMessage routed{self_, link_.parent(), wanted.node, {}};
        if (routed.parent != routed.wanted)
            routed.cause = wanted.usable() ? link_.detour() : "it takes no direct links";
        this->routed(routed);
    }
    node_->set_ancestors(link_.ancestors());
    node_->take_place();
}

/// They run, or never will.
void RelayRun::settle_by(FrameType type, std::string_view report) {
    if (type == FrameType::nodes_up) {
        const auto message = NodesMessage::decode(report);
        settled_ += message ? message->nodes.size() : 0;
    }
    if (type != FrameType::failure) return;
    const auto message = FailureMessage::decode(report);
    if (message) settle(*message);
}

void RelayRun::settle(const FailureMessage& failure) {
    settled_ += 1 + failure.count_below();
    if (node_) node_->account(failure);
}

void RelayRun::open_link(std::vector<Contact> ancestors, uint32_t generation) {
    ParentLink::Kin kin;
    kin.self = self_;
    kin.generation = generation;
    kin.size = static_cast<NodeIndex>(block_size_);
    kin.choice = job_.policies.links.choice;
    kin.connect_timeout = job_.policies.connect_timeout;
    kin.links = node_->links();
    kin.ancestors = std::move(ancestors);
    kin.heard = [this] { return node_->heard(); };
    kin.adopted = [this] {
        node_job_->new_parent();
        node_->new_parent();
    };
    kin.renewed = [this] {
        take_place();
        node_job_->ask_again();
    };
    kin.failed = [this](const Error& error) { direct_link_failed(error); };
    link_.open(std::move(kin));
    if (job_.stage.bytes() >= much_data) link_.expect_much();
}

void RelayRun::direct_link_failed(Error error) {
    // A parent that has gone over hangs up on who does not know yet.
    const bool passing = node_ && node_->may_go_over() && node_job_->nodes() == 0;
    if (passing || job_.policies.links.choice != LinkChoice::direct) {
        notice({self_, true, describe(error) + "; goes on over the transport's streams"});
        return;
    }
    error.host = host_;
    error.hint =
        "a firewall between the hosts? --links auto does without, --link-ports names ports";
    const auto below = static_cast<NodeIndex>(block_size_ - 1);
    failure({self_, true, {{self_ + 1, below}}, std::move(error)});
}

bool RelayRun::hear(const Frame& frame) {
    const auto message = unwrap_broadcast(frame.payload);
    if (!message || !node_) return false;
    const auto value = decode_number(message->body);
    if (frame.type == FrameType::pause) parent_paused_ = true;  // until it continues
    if (frame.type == FrameType::signal && value == SIGCONT) parent_paused_ = false;
    if (frame.type == FrameType::start_ranks) {
        job_.may_leave_wdir = value != 0U;
        link_.start_is_over();
    }
    if (frame.type == FrameType::finish) told_to_finish_ = true;
    const bool was_over = node_->goes_over();
    if (!node_->hear(frame.type, *message)) return false;
    if (!was_over && node_->goes_over()) go_over();
    return true;
}

bool RelayRun::handle(const Frame& frame) {
    if (is_broadcast(frame.type)) return hear(frame);
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
        case FrameType::released: return node_ && node_->release(frame.payload);
        case FrameType::ping:
            if (node_) node_->announce(starting());
            return true;
        case FrameType::input:
        case FrameType::modex:
        case FrameType::segment:
            return node_job_ && node_job_->from_parent(frame.type, frame.payload);
        case FrameType::ack: return node_ && node_->pass_ack(frame.payload);
        case FrameType::resend:
            if (node_) node_->ask_again();
            if (node_job_) node_job_->ask_again();
            return true;
        case FrameType::dismissed: told_to_finish_ = true; return true;
        default: return false;
    }
}

}  // namespace launch
