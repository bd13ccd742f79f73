// SPDX-License-Identifier: MIT
#include "tests/unit/core/harness/network.hpp"

#include "modex/mapping/process_mapping.hpp"
#include "tests/unit/core/harness/shape.hpp"
#include "transports/tries.hpp"

namespace launch {
namespace {

Error gone_error(std::string what) {
    return {ErrorKind::unreachable, "connect", {}, -1, std::move(what), {}};
}

/// Starts relays in this process, as often and as many at a time as the ssh transport does.
class MemoryTransport : public Transport {
  public:
    explicit MemoryTransport(Process& process) : process_(process) {}

    awaitable<Tries::Started> start(StartRequest request) override {
        if (!tries_) tries_.emplace(process_.network.executor, process_.network.logins_at_once);
        return tries_->start(std::move(request),
                             [this](const StartRequest& its, auto) { return try_once(its); });
    }
    std::string explain(const StartRequest&) override { return {}; }

  private:
    awaitable<Try> try_once(const StartRequest& request) {
        Network& network = process_.network;
        co_await asio::post(network.executor, asio::use_awaitable);
        const NodeIndex node = Network::number_of(request.host.name);
        network.started.push_back(node);
        const Login login = network.login(node);
        const bool answers = login.answer != Login::Answer::none;
        const auto limit = answers ? login.takes : request.connect_timeout;
        if (limit.count() > 0) co_await sleep_for(network.executor, limit, request.stop);
        if (network.cores) {
            co_await network.cores->of(process_.node).ask();
            co_await network.cores->of(node).answer();
        }
        std::string cause;
        if (!process_.lives() || network.unreachable.contains(node)) cause = "no such host";
        if (request.stop.stop_requested()) cause = "the job ends";
        if (login.answer == Login::Answer::refuses) cause = "connection refused";
        if (login.answer == Login::Answer::closes) cause = "connection closed";
        if (!answers) cause = "no answer";
        if (cause.empty()) co_return Try{network.start_relay(node, &process_, login.noise), {}};
        const bool may_help = login.answer == Login::Answer::closes && process_.lives();
        co_return Try{nullptr, {gone_error(cause), may_help ? Retry::dropped : Retry::no}};
    }

    Process& process_;
    std::optional<Tries> tries_;
};

}  // namespace

/// Direct links in this process: whoever lives can be dialled by its port. Who looks for a parent
/// has to prove itself, as far as it matters here who knows whom (transports/direct/link_keys.hpp).
class MemoryLinks : public DirectLinks {
  public:
    MemoryLinks(Process& process, DirectLinkSettings settings, DirectLinkHandler& handler)
        : process_(process),
          settings_(std::move(settings)),
          handler_(handler),
          changed_(process.network.executor) {
        process_.links = this;
    }
    ~MemoryLinks() override { hang_up(); }

    Result<uint16_t> listen() override {
        auto& ports = process_.network.ports;
        port_ = static_cast<uint16_t>(ports.empty() ? 1000 : ports.rbegin()->first + 1);
        ports[port_] = this;
        return port_;
    }
    awaitable<Result<std::unique_ptr<ByteStream>>> dial(Contact peer, LinkPurpose purpose,
                                                        std::chrono::milliseconds limit,
                                                        std::stop_token stop) override {
        ++dialling_;
        co_await asio::post(process_.network.executor, asio::use_awaitable);
        const auto at = process_.network.ports.find(peer.port);
        const bool answers = at == process_.network.ports.end() || can_reach(*at->second);
        const Clock::duration takes = answers ? process_.network.call_takes() : limit;
        if (takes.count() > 0) co_await sleep_for(process_.network.executor, takes, stop);
        auto stream = reach(peer, purpose);
        --dialling_;
        changed_.notify();
        co_return stream;
    }
    std::string key_of(NodeRange) override { return "key"; }
    std::string public_key() override { return std::string(public_key_size, 'p'); }
    void know(const std::vector<Contact>& nodes) override {
        knows_ = true;
        know_joined(nodes);
    }
    void know_joined(const std::vector<Contact>& nodes) override {
        for (const Contact& contact : nodes)
            if (!contact.public_key.empty()) known_.insert(contact.node);
    }
    void forget(NodeRange nodes) override {
        std::erase_if(known_, [nodes](NodeIndex node) { return nodes.contains(node); });
    }
    size_t keys_known() const { return known_.size(); }
    awaitable<void> close() override {
        hang_up();
        while (dialling_ > 0)
            co_await changed_.wait();
    }
    uint64_t refused() const override { return 0; }

    void hang_up() {
        if (port_ != 0) process_.network.ports.erase(port_);
        port_ = 0;
    }

  private:
    Result<std::unique_ptr<ByteStream>> reach(const Contact& peer, LinkPurpose purpose) {
        Network& network = process_.network;
        const auto at = network.ports.find(peer.port);
        const bool there = at != network.ports.end() && can_reach(*at->second);
        if (!process_.lives() || !there) return gone_error("nobody answers");
        MemoryLinks& other = *at->second;
        // The port is another node's now, which has another key.
        if (other.settings_.self != peer.node) return gone_error("not believed");
        DirectCall call{settings_.self, purpose};
        if (auto path = settings_.own.path_from(peer.node)) call.path = std::move(*path);
        if (!other.handler_.wants_link(call)) return gone_error("hung up");
        if (purpose == LinkPurpose::attach && !proves_itself_to(other))
            return gone_error("not believed");
        const auto cable = network.lay(&process_, &other.process_, purpose == LinkPurpose::move);
        other.handler_.direct_link(call, cable->end(Cable::Side::b));
        return cable->end(Cable::Side::a);
    }

    bool can_reach(const MemoryLinks& other) const {
        const auto& away = process_.network.out_of_reach;
        return !away.contains(other.process_.node) && !away.contains(process_.node) &&
               !process_.network.are_apart(process_.node, other.process_.node);
    }

    bool proves_itself_to(const MemoryLinks& other) const {
        const NodeIndex peer = other.settings_.self;
        if (settings_.own.path_from(peer)) return true;
        if (!settings_.routed || !other.settings_.routed || !known_.contains(peer)) return false;
        return !other.knows_ || other.known_.contains(settings_.self);
    }

    Process& process_;
    DirectLinkSettings settings_;
    DirectLinkHandler& handler_;
    std::set<NodeIndex> known_;  ///< nodes whose public keys it has
    bool knows_ = false;         ///< it has those of the tree of the start
    Event changed_;
    uint16_t port_ = 0;
    int dialling_ = 0;
};

std::unique_ptr<ModexServer> make_fake_modex(Process& process, any_io_executor executor,
                                             const JobMessage& job, ModexHost& host) {
    const std::string id = job.job_id;
    FakeModex::Around around{[&process, id] { process.modex.erase(id); },
                             [&process](NodeIndex child) { return process.is_child(child); }};
    auto server = std::make_unique<FakeModex>(std::move(executor), job, host, std::move(around));
    process.modex[id] = server.get();
    return server;
}

Process::Process(Network& its_network, NodeIndex its_node, int its_number)
    : network(its_network), node(its_node), number(its_number) {
    factories.transport = [this](any_io_executor, const TransportOptions&, Reaper&, TransportNote,
                                 RemovalList*) {
        return Result<std::unique_ptr<Transport>>(std::make_unique<MemoryTransport>(*this));
    };
    factories.topology = [](const std::string& name, uint32_t degree, NodeIndex nodes,
                            std::string* reason) {
        return make_played_topology(name, degree, nodes, reason);
    };
    factories.modex = [this](any_io_executor executor_of_it, const JobMessage& job,
                             ModexHost& host) {
        return network.make_modex(*this, std::move(executor_of_it), job, host);
    };
    factories.rank = [this](const RankSurroundings& around, Rank::Settings settings) {
        return network.make_rank(*this, around, std::move(settings));
    };
    factories.process_mapping = [](const Placement& placement) {
        return process_mapping(placement);
    };
    factories.links = [this](any_io_executor, DirectLinkSettings settings,
                             DirectLinkHandler& handler) {
        return std::make_unique<MemoryLinks>(*this, std::move(settings), handler);
    };
    factories.bounds = network.bounds_;
}

size_t Process::keys_known() const {
    return links == nullptr ? 0 : links->keys_known();
}

bool Process::is_child(NodeIndex child) const {
    const auto all = children();
    return std::any_of(all.begin(), all.end(), [child](const ChildView& view) {
        return view.child == child &&
               std::any_of(view.nodes.begin(), view.nodes.end(),
                           [child](NodeRange range) { return range.contains(child); });
    });
}

Network::Network(const any_io_executor& its_executor, const Bounds& bounds)
    : executor(its_executor), tasks(its_executor), bounds_(bounds) {}

Process& Network::add(NodeIndex node) {
    const auto before =
        std::count_if(processes_.begin(), processes_.end(),
                      [node](const auto& process) { return process->node == node; });
    processes_.push_back(std::make_unique<Process>(*this, node, static_cast<int>(before) + 1));
    return *processes_.back();
}

std::shared_ptr<Cable> Network::lay(Process* a, Process* b, bool greeted) {
    auto cable = Cable::make(executor, greeted, quality(),
                             [this](Cable& its, Cable::Side from, FrameType type) {
                                 return watch ? watch(its, from, type) : std::nullopt;
                             });
    const auto give = [this, &cable](Process* process, Cable::Side side) {
        if (process == nullptr) return;
        process->cables.emplace_back(cable, side);
        cable->read_by(side, cores_of(process->node));
    };
    give(a, Cable::Side::a);
    give(b, Cable::Side::b);
    cables_.push_back(cable);
    return cable;
}

Network::Stream Network::start_relay(NodeIndex node, Process* by, const std::string& noise) {
    const auto at = played.find(node);
    if (at != played.end()) {
        const auto cable = lay(by, nullptr, false);
        at->second(cable->end(Cable::Side::b));
        return cable->end(Cable::Side::a);
    }
    Process& process = add(node);
    process.start = lay(by, &process, false);
    if (!noise.empty()) process.start->say(Cable::Side::b, noise);
    if (laid) laid(node, *process.start);
    process.relay = std::make_unique<RelayRun>(
        executor, process.start->end(Cable::Side::b), process.factories, guard_,
        [this, node](const std::string& why) { refused += name_of(node) + ": " + why + "; "; });
    process.children = [&relay = *process.relay] { return relay.children(); };
    tasks.spawn(live(process));
    return process.start->end(Cable::Side::a);
}

awaitable<void> Network::live(Process& process) {
    co_await process.relay->run();
    if (!process.lives()) co_return;
    process.life = Process::Life::ended;
    process.start->exit(0);
    process.start->leave(Cable::Side::b);
}

/// What it goes on to do here, as nobody can kill a coroutine, nobody hears of.
void Network::kill(Process& process) {
    process.life = Process::Life::killed;
    if (process.links != nullptr) process.links->hang_up();
    if (process.start) process.start->exit(128 + 9);
    for (const auto& [cable, side] : process.cables)
        cable->leave(side);
}

Process* Network::user_of(const Cable& cable, Cable::Side side) const {
    for (const auto& process : processes_)
        for (const auto& [its, at] : process->cables)
            if (its.get() == &cable && at == side) return process.get();
    return nullptr;
}

Process* Network::running(NodeIndex node) const {
    for (size_t i = processes_.size(); i-- > 0;)
        if (processes_[i]->node == node && processes_[i]->lives()) return processes_[i].get();
    return nullptr;
}

std::vector<std::shared_ptr<Cable>> Network::between(NodeIndex a, NodeIndex b) const {
    std::set<std::shared_ptr<Cable>> of_a;
    std::vector<std::shared_ptr<Cable>> shared;
    for (const auto& process : processes_)
        if (process->node == a)
            for (const auto& [cable, side] : process->cables)
                of_a.insert(cable);
    for (const auto& process : processes_)
        if (process->node == b)
            for (const auto& [cable, side] : process->cables)
                if (of_a.contains(cable) && cable->open_ends() == 2) shared.push_back(cable);
    return shared;
}

void Network::part(NodeIndex a, NodeIndex b, bool apart) {
    const std::pair pair(std::min(a, b), std::max(a, b));
    apart ? void(apart_.insert(pair)) : void(apart_.erase(pair));
    for (const auto& cable : between(a, b))
        cable->hold(apart);
}

uint16_t Network::port_of(NodeIndex node) const {
    const Process* const process = running(node);
    for (const auto& [port, links] : ports)
        if (process != nullptr && links == process->links) return port;
    return 0;
}

size_t Network::relays() const {
    return static_cast<size_t>(std::count_if(
        processes_.begin(), processes_.end(),
        [](const auto& process) { return process->relay != nullptr && process->lives(); }));
}

std::string Network::nonsense(std::string_view said) const {
    const size_t at = said.find("malformed message");
    if (at == std::string_view::npos) return refused;
    return refused + std::string(said.substr(at, said.find('\n', at) - at));
}

int Network::open_ends() const {
    int open = 0;
    for (const auto& cable : cables_)
        open += cable->open_ends();
    return open;
}

}  // namespace launch
