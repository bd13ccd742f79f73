// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <string>
#include <vector>

#include "tests/unit/modex/exchange/simulation.hpp"

namespace launch {

/// A job whose nodes go from one fence of PMIx to the next, each in its own time, with
/// contributions of any size, while peers open, links between them break, ranks exit and nodes are
/// lost. What every fence gives to a node is held against what the nodes have contributed to it.
class Gathering : public SimulationEvents {
  public:
    struct Settings {
        uint32_t rounds = 5;
        uint32_t losses = 0;     ///< nodes, at most
        uint32_t cuts = 0;       ///< links between peers, at most
        uint32_t exits = 0;      ///< nodes all of whose ranks exit, at most
        bool late = false;       ///< peers open while fences are on their way
        uint32_t large = 0;      ///< of a thousand contributions
        size_t most = 300;       ///< bytes of one that is not
        size_t largest = 90000;  ///< of one that is
    };

    Gathering(const Topology& topology, const NodeRanks& placed, Simulation::Settings simulation,
              Settings settings);

    /// Until everything is quiet. Then nobody may be waiting.
    void run();
    const Simulation::Traffic& traffic() const { return simulation_.traffic(); }

    void fence_done(NodeIndex node, Channel channel, const std::string& blob) override;
    void answered(uint64_t, bool, const std::string&) override {}
    void fence_broken(uint32_t, uint32_t) override;

  private:
    struct Node {
        bool open = false;
        bool in_fence = false;
        bool exited = false;
        uint32_t fences = 0;
        std::map<uint32_t, std::string> said;  ///< by fence
    };

    uint32_t below(uint32_t n) { return static_cast<uint32_t>(random_() % n); }
    NodeIndex any() { return static_cast<NodeIndex>(below(static_cast<uint32_t>(nodes_.size()))); }
    bool speaks(NodeIndex node) const;
    bool may_join(NodeIndex node) const;
    bool collects(uint32_t round) const { return round % 5 != 0; }
    std::string contribution(NodeIndex node, uint32_t round);
    void open(NodeIndex node);
    void open_late(NodeIndex node);
    void join(NodeIndex node);
    void disturb();
    void exit(NodeIndex node);
    void check(uint32_t round, const std::string& blob) const;

    const Settings settings_;
    const NodeRanks placed_;
    std::mt19937 random_;
    Simulation simulation_;
    std::vector<Node> nodes_;
    uint32_t losses_ = 0;
    uint32_t cuts_ = 0;
    uint32_t exits_ = 0;
};

}  // namespace launch
