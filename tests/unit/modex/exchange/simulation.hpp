// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <list>
#include <map>
#include <memory>
#include <optional>
#include <random>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "core/topology.hpp"
#include "modex/exchange/exchange.hpp"
#include "tests/unit/modex/exchange/simulated_peers.hpp"

namespace launch {

using NodeRanks = std::vector<std::vector<uint32_t>>;  ///< of each node, ascending

/// Every node with as many ranks as it is given, numbered node by node; the root is a node too.
NodeRanks block_placement(const std::vector<uint32_t>& counts);
/// Any rank anywhere: nodes without ranks are among them, the root most often.
NodeRanks random_placement(NodeIndex nodes, uint32_t ranks, std::mt19937& random);
std::vector<RankRun> runs_of(const std::vector<uint32_t>& ranks);

/// What comes of the exchanges of a simulation.
class SimulationEvents {
  public:
    virtual ~SimulationEvents() = default;

    virtual void fence_done(NodeIndex node, Channel channel, const std::string& blob) = 0;
    virtual void group_done(NodeIndex, const std::vector<uint32_t>&, const std::string&) {}
    virtual void answered(uint64_t ticket, bool found, const std::string& value) = 0;
    virtual void blob_wanted(NodeIndex, uint32_t) {}
    virtual void event_told(NodeIndex, const std::string&) {}
    virtual void ranks_died(NodeIndex, const std::vector<uint32_t>&) {}
    virtual void fence_broken(uint32_t, uint32_t) {}
};

/// A tree of exchanges, joined by links that keep the order of what goes over them, each in its
/// own time: which link delivers next is drawn at random. Nodes may be lost on the way; the tree
/// mends itself, in its own time too.
class Simulation {
  public:
    struct Settings {
        ModexChoice algorithm = ModexChoice::automatic;
        bool absent_is_fatal = true;
        bool watch_repeats = true;  ///< costs memory for every card on every link
        bool heals = false;         ///< nodes may be lost
        bool hypercube = false;
        uint32_t seed = 1;
    };
    struct Traffic {
        uint64_t messages = 0;
        uint64_t bytes = 0;
        uint64_t refused = 0;                     ///< by their receiver
        std::map<std::string, uint64_t> repeats;  ///< cards unchanged over a link again, by message
        std::vector<uint64_t> kinds = std::vector<uint64_t>(32, 0);  ///< messages, by kind
        uint64_t largest = 0;
    };

    Simulation(const Topology& topology, const NodeRanks& ranks, Settings settings,
               SimulationEvents& events);
    ~Simulation();

    Exchange& at(NodeIndex node) { return nodes_[node]->exchange; }
    Exchange& of(uint32_t rank) { return at(node_of_.at(rank)); }
    NodeIndex node_of(uint32_t rank) const { return node_of_.at(rank); }
    NodeIndex parent(NodeIndex node) const { return nodes_[node]->parent; }
    /// The rank exits; the news of it go up.
    void exit(uint32_t rank);
    /// The node dies, not the root. Of what was on its way from it a part still comes, all that was
    /// on its way to it is lost. Its children come to the nearest ancestor that lives, and that one
    /// gives up the node and all below it that have not come.
    void lose(NodeIndex node);
    bool lost(NodeIndex node) const { return nodes_[node]->dead; }

    /// The node may talk to any other from now on: they are numbered as in the tree.
    void open_peers(NodeIndex node);
    /// The link between the two, if there is any.
    void cut_peers(NodeIndex one, NodeIndex other) { peers_.cut(one, other, random_); }

    /// Delivers one message from a link, or mends the tree by one step, drawn at random. False: all
    /// is quiet.
    bool step();
    void run();

    const Traffic& traffic() const { return traffic_; }
    std::mt19937& random() { return random_; }

  private:
    struct Packet {
        std::string message;
        std::optional<uint32_t> exited;  ///< instead of a message: news of a rank
        bool lost = false;               ///< it was, with its host
        bool attached = false;           ///< instead of a message: the parent's welcome
        MessageSource messages = {};     ///< instead of one: each is made when it is delivered
    };
    /// What a node takes for below a child.
    struct Subtree {
        NodeIndex child;
        std::set<NodeIndex> nodes;
    };
    struct Node final : ExchangeSink {
        Node(Simulation& simulation, NodeIndex index, ExchangeSettings settings,
             ModexChoice algorithm);
        void to_parent(std::string message) override;
        void to_child(NodeIndex child, std::string message) override;
        void stream_to_child(NodeIndex child, MessageSource messages) override;
        void peers_wanted() override;
        void to_peer(uint32_t number, std::string message) override;
        void fence_done(Channel channel, std::string blob) override;
        void group_done(const std::vector<uint32_t>& group, const std::string& blob) override;
        void answered(uint64_t ticket, bool found, const std::string& value) override;
        void blob_wanted(uint32_t owner) override;
        void event_told(const std::string& data) override;
        void ranks_died(const std::vector<uint32_t>& ranks) override;
        void fence_broken(uint32_t rank, uint32_t absent) override;

        Simulation& simulation;
        const NodeIndex index;
        NodeIndex parent = 0;
        Exchange exchange;
        std::list<Packet> up;    ///< to the parent, on its way
        std::list<Packet> down;  ///< from the parent, on its way

        bool dead = false;
        bool cut = false;               ///< what goes up is lost
        std::vector<NodeIndex> block;   ///< itself and all that it was given to start
        std::map<uint32_t, bool> gone;  ///< ranks, by the news that it has passed on
        std::list<Subtree> subtrees;    ///< of its children, those that came last first
    };
    /// One direction of a node's link to its parent.
    struct Lane {
        NodeIndex node;
        bool up;
        bool operator==(const Lane&) const = default;
    };

    void bring_peers();
    void tell(NodeIndex node, std::function<void()> what);
    void connect(const Topology& topology, const NodeRanks& ranks);
    void send(Lane lane, Packet packet);
    bool vanishes(const Lane& lane) const;
    std::list<Packet>& queue(const Lane& lane);
    void deliver(Lane lane, Packet packet);
    void deliver_next(const Lane& lane, Packet packet);
    void note(const Lane& lane, const std::string& message);
    void count(const std::string& message);
    void step_of_link(size_t drawn);
    void step_of_peers(size_t drawn);
    void news(NodeIndex node, uint32_t rank, bool lost);

    // How the tree mends itself.
    void keep(const Lane& lane, size_t packets);
    bool mend();
    bool orphaned(NodeIndex node) const;
    NodeIndex nearest_alive(NodeIndex node) const;
    void attach(NodeIndex node);
    void attached(NodeIndex node);
    bool all_below_dead(const Subtree& subtree) const;
    void give_up(NodeIndex node, std::list<Subtree>::iterator subtree);
    std::vector<std::vector<RankRun>> runs_of_nodes(const std::set<NodeIndex>& nodes) const;
    void watch(NodeIndex node, const std::string& message);
    void watch_card(NodeIndex node, const std::string& kind, const std::string& key,
                    const std::string& value);

    const Settings settings_;
    SimulationEvents& events_;
    const NodeRanks placed_;
    std::mt19937 random_;
    std::vector<std::unique_ptr<Node>> nodes_;
    bool mending_ = false;  ///< a loss has not been dealt with to the end
    std::unordered_map<uint32_t, NodeIndex> node_of_;
    std::vector<Lane> busy_;
    SimulatedPeers peers_;
    Traffic traffic_;
    /// What went last over a node's link to its parent, of each key, in whichever direction.
    std::map<std::pair<NodeIndex, std::string>, std::pair<std::string, std::string>> went_;
    std::deque<std::function<void()>> told_;  ///< to the ranks: never from inside an exchange
};

}  // namespace launch
