// SPDX-License-Identifier: MIT
#pragma once

#include <deque>
#include <map>
#include <optional>
#include <random>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "core/topology.hpp"

namespace launch {

/// Links between any two nodes of a simulation: each keeps the order of what goes over it, in its
/// own time. A link that is cut loses some of the last of what is on its way, and one end at least
/// hears of it, after what still comes.
class SimulatedPeers {
  public:
    struct Delivery {
        NodeIndex from = 0;
        NodeIndex to = 0;
        std::optional<std::string> message;  ///< nothing: `from` is lost to `to`
    };

    void send(NodeIndex from, NodeIndex to, std::string message);
    /// Links with something on its way.
    size_t busy() const { return busy_.size(); }
    /// From the link with this number below busy().
    Delivery take(size_t drawn);
    void cut(NodeIndex one, NodeIndex other, std::mt19937& random);
    /// All its links are cut. Who hears of it is drawn at random, and may be nobody.
    void lose(NodeIndex node, NodeIndex nodes, std::mt19937& random);

  private:
    using Link = std::pair<NodeIndex, NodeIndex>;  ///< from, to

    void push(const Link& link, std::optional<std::string> message);
    void keep_some(const Link& link, std::mt19937& random);

    std::map<Link, std::deque<std::optional<std::string>>> on_way_;
    std::vector<Link> busy_;
    std::set<Link> cut_;
};

}  // namespace launch
