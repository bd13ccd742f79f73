// SPDX-License-Identifier: MIT
#include "tests/unit/modex/exchange/simulation.hpp"

#include <algorithm>
#include <gtest/gtest.h>

#include "modex/exchange/card_batch.hpp"

namespace launch {
std::vector<RankRun> runs_of(const std::vector<uint32_t>& ranks) {
    std::vector<RankRun> runs;
    for (const uint32_t rank : ranks) {
        if (!runs.empty() && runs.back().first + runs.back().count == rank) {
            ++runs.back().count;
        } else {
            runs.push_back({rank, 1, 1});
        }
    }
    return runs;
}

NodeRanks block_placement(const std::vector<uint32_t>& counts) {
    NodeRanks nodes(counts.size());
    uint32_t next = 0;
    for (size_t node = 0; node < counts.size(); ++node) {
        for (uint32_t i = 0; i < counts[node]; ++i)
            nodes[node].push_back(next++);
    }
    return nodes;
}

NodeRanks random_placement(NodeIndex nodes, uint32_t ranks, std::mt19937& random) {
    NodeRanks placed(nodes);
    const bool root_too = random() % 4 == 0 || nodes == 1;
    for (uint32_t rank = 0; rank < ranks; ++rank) {
        NodeIndex node = static_cast<NodeIndex>(random() % nodes);
        if (node == 0 && !root_too) node = 1;
        placed[node].push_back(rank);
    }
    return placed;
}

Simulation::Node::Node(Simulation& s, NodeIndex i, ExchangeSettings settings, ModexChoice algorithm)
    : simulation(s), index(i), exchange(std::move(settings), algorithm, *this) {}

void Simulation::Node::to_parent(std::string message) {
    simulation.send({index, true}, {std::move(message), std::nullopt});
}

void Simulation::Node::to_child(NodeIndex child, std::string message) {
    simulation.send({child, false}, {std::move(message), std::nullopt});
}

void Simulation::Node::stream_to_child(NodeIndex child, MessageSource messages) {
    Packet packet;
    packet.messages = std::move(messages);
    simulation.send({child, false}, std::move(packet));
}

void Simulation::Node::to_peer(uint32_t number, std::string message) {
    if (dead) return;
    ASSERT_LT(number, simulation.nodes_.size());
    ASSERT_NE(number, index);
    simulation.count(message);
    simulation.peers_.send(index, number, std::move(message));
}

void Simulation::Node::fence_done(Channel channel, std::string blob) {
    simulation.tell(index, [this, channel, blob = std::move(blob)] {
        simulation.events_.fence_done(index, channel, blob);
    });
}

void Simulation::Node::group_done(const std::vector<uint32_t>& group, const std::string& blob) {
    simulation.tell(index,
                    [this, group, blob] { simulation.events_.group_done(index, group, blob); });
}

void Simulation::Node::answered(uint64_t ticket, bool found, const std::string& value) {
    simulation.tell(
        index, [this, ticket, found, value] { simulation.events_.answered(ticket, found, value); });
}

void Simulation::Node::blob_wanted(uint32_t owner) {
    simulation.tell(index, [this, owner] { simulation.events_.blob_wanted(index, owner); });
}

void Simulation::Node::event_told(const std::string& data) {
    simulation.tell(index, [this, data] { simulation.events_.event_told(index, data); });
}

void Simulation::Node::ranks_died(const std::vector<uint32_t>& ranks) {
    simulation.tell(index, [this, ranks] { simulation.events_.ranks_died(index, ranks); });
}

void Simulation::Node::fence_broken(uint32_t rank, uint32_t absent) {
    EXPECT_EQ(index, 0U);
    simulation.tell(index, [this, rank, absent] { simulation.events_.fence_broken(rank, absent); });
}

/// Never from inside an exchange, and not to the ranks of a node that has died since.
void Simulation::tell(NodeIndex node, std::function<void()> what) {
    told_.emplace_back([this, node, what = std::move(what)] {
        if (!nodes_[node]->dead) what();
    });
}

Simulation::Simulation(const Topology& topology, const NodeRanks& ranks, Settings settings,
                       SimulationEvents& events)
    : settings_(settings), events_(events), placed_(ranks), random_(settings.seed) {
    uint32_t total = 0;
    for (const auto& node : ranks)
        total += static_cast<uint32_t>(node.size());
    for (NodeIndex node = 0; node < ranks.size(); ++node) {
        for (const uint32_t rank : ranks[node])
            node_of_[rank] = node;
        ExchangeSettings each{total,          ranks[node],
                              node == 0,      settings.absent_is_fatal,
                              settings.heals, settings.hypercube};
        nodes_.push_back(std::make_unique<Node>(*this, node, std::move(each), settings.algorithm));
    }
    connect(topology, ranks);
}

Simulation::~Simulation() = default;

void Simulation::connect(const Topology& topology, const NodeRanks& ranks) {
    std::vector<std::vector<RankRun>> runs;
    for (const auto& node : ranks)
        runs.push_back(runs_of(node));
    const auto n = static_cast<NodeIndex>(ranks.size());
    // A block's end is where the next sibling's begins: known to whoever made the block.
    std::vector<NodeIndex> ends(n, n);
    std::vector<NodeIndex> children;
    for (NodeIndex node = 0; node < n; ++node) {
        topology.children(node, n, children);
        for (size_t i = 0; i < children.size(); ++i) {
            const NodeIndex child = children[i];
            ends[child] = i + 1 < children.size() ? children[i + 1] : ends[node];
            nodes_[child]->parent = node;
            at(node).add_child(child, {runs.begin() + child, runs.begin() + ends[child]});
            for (NodeIndex below = child; below < ends[child]; ++below)
                nodes_[child]->block.push_back(below);
            const auto& block = nodes_[child]->block;
            nodes_[node]->subtrees.push_back({child, {block.begin(), block.end()}});
        }
    }
}

std::list<Simulation::Packet>& Simulation::queue(const Lane& lane) {
    Node& node = *nodes_[lane.node];
    return lane.up ? node.up : node.down;
}

void Simulation::count(const std::string& message) {
    ++traffic_.messages;
    traffic_.bytes += message.size();
    traffic_.largest = std::max<uint64_t>(traffic_.largest, message.size());
    ++traffic_.kinds.at(static_cast<unsigned char>(message[0]));
}

void Simulation::open_peers(NodeIndex node) {
    at(node).open_peers(node, static_cast<uint32_t>(nodes_.size()));
}

/// What opens them at the nodes comes before anything that the root says when it hears of it. They
/// are not to be had where some nodes have no ranks, and now and then.
void Simulation::bring_peers() {
    const bool all = std::all_of(placed_.begin() + 1, placed_.end(),
                                 [](const auto& ranks) { return !ranks.empty(); });
    if (!all || random_() % 4 == 0) return at(0).no_peers();
    for (NodeIndex node = static_cast<NodeIndex>(nodes_.size()); node-- > 0;)
        if (!lost(node)) open_peers(node);
}

void Simulation::Node::peers_wanted() {
    simulation.tell(index, [this] { simulation.bring_peers(); });
}

void Simulation::note(const Lane& lane, const std::string& message) {
    count(message);
    if (settings_.watch_repeats) watch(lane.node, message);
}

void Simulation::send(Lane lane, Packet packet) {
    if (!packet.message.empty()) note(lane, packet.message);
    if (vanishes(lane)) return;
    if (queue(lane).empty()) busy_.push_back(lane);
    queue(lane).push_back(std::move(packet));
}

void Simulation::watch_card(NodeIndex node, const std::string& kind, const std::string& key,
                            const std::string& value) {
    const auto [at, first] = went_.try_emplace({node, key}, kind, value);
    if (!first && at->second.second == value)
        ++traffic_.repeats[at->second.first + ", then " + kind];
    at->second = {kind, value};
}

void Simulation::watch(NodeIndex node, const std::string& message) {
    const auto decoded = decode_exchange(message);
    ASSERT_TRUE(decoded);
    const auto batch = [&](const std::string& kind, const std::string& cards) {
        const auto all = decode_cards(cards, max_cards_bytes);
        ASSERT_TRUE(all);
        for (const Card& card : *all)
            watch_card(node, kind, card.key, card.value);
    };
    const auto* fence_up = std::get_if<FenceUp>(&*decoded);
    if (const auto* up = fence_up ? std::get_if<CardsUp>(&fence_up->load) : nullptr)
        batch("FenceUp", up->cards), batch("FenceUp", up->changes);
    const auto* fence_down = std::get_if<FenceDown>(&*decoded);
    if (const auto* down = fence_down ? std::get_if<CardsDown>(&fence_down->load) : nullptr) {
        if (down->forget) {
            // What is forgotten may be sent again.
            std::erase_if(went_, [node](const auto& entry) { return entry.first.first == node; });
        }
        batch("FenceDown", down->cards);
    }
    if (const auto* cards = std::get_if<Cards>(&*decoded)) batch("Cards", cards->cards);
    const auto* answer = std::get_if<Answer>(&*decoded);
    if (answer != nullptr && answer->channel == Channel::cards && answer->found && !answer->sent)
        watch_card(node, "Answer", answer->key, answer->value);
}

void Simulation::deliver(Lane lane, Packet packet) {
    Node& node = *nodes_[lane.node];
    if (packet.exited) {
        Exchange& parent = at(node.parent);
        packet.lost ? parent.lost_below(*packet.exited) : parent.exited_below(*packet.exited);
        news(node.parent, *packet.exited, packet.lost);
        return;
    }
    if (packet.attached) {
        attached(lane.node);
        return;
    }
    if (packet.messages) {
        deliver_next(lane, std::move(packet));
        return;
    }
    const bool taken = lane.up ? at(node.parent).from_child(lane.node, packet.message)
                               : node.exchange.from_parent(packet.message);
    if (!taken) ++traffic_.refused;
}

/// One of several: what is left of them goes before all that was sent later.
void Simulation::deliver_next(const Lane& lane, Packet packet) {
    auto message = packet.messages();
    if (!message) return;
    note(lane, *message);
    if (queue(lane).empty()) busy_.push_back(lane);
    queue(lane).push_front(std::move(packet));
    deliver(lane, {*std::move(message), std::nullopt});
}

/// Once, by whichever way they came.
void Simulation::news(NodeIndex node, uint32_t rank, bool lost) {
    const bool fresh = nodes_[node]->gone.emplace(rank, lost).second;
    if (fresh && node != 0) send({node, true}, {{}, rank, lost});
}

void Simulation::exit(uint32_t rank) {
    of(rank).exited(rank);
    news(node_of(rank), rank, false);
}

bool Simulation::step() {
    if (!told_.empty()) {
        const auto tell = std::move(told_.front());
        told_.pop_front();
        tell();
        return true;
    }
    const size_t busy = busy_.size() + peers_.busy();
    const bool may_mend = mending_ && (busy == 0 || random_() % 8 == 0);
    if (may_mend && mend()) return true;
    if (busy == 0) return false;
    const size_t drawn = random_() % busy;
    drawn < busy_.size() ? step_of_link(drawn) : step_of_peers(drawn - busy_.size());
    return true;
}

void Simulation::step_of_link(size_t drawn) {
    const Lane lane = busy_[drawn];
    Packet packet = std::move(queue(lane).front());
    queue(lane).pop_front();
    if (queue(lane).empty()) {
        busy_[drawn] = busy_.back();
        busy_.pop_back();
    }
    deliver(lane, std::move(packet));
}

void Simulation::step_of_peers(size_t drawn) {
    const auto [from, to, message] = peers_.take(drawn);
    if (nodes_[to]->dead) return;
    if (!message) {
        at(to).peer_lost(from);
    } else if (!at(to).from_peer(from, *message)) {
        ++traffic_.refused;
    }
}

void Simulation::run() {
    while (step()) {
    }
}

}  // namespace launch
