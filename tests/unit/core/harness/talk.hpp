// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <string>
#include <utility>

#include "tests/unit/core/harness/world.hpp"

namespace launch {

/// The nodes of a world say words, which are numbered on each way for itself. A way leads from a
/// relay to the head, or from one neighbour to another for as long as the two are neighbours.
class Talk {
  public:
    /// Nodes up to `ranks` have a rank, whose output they send.
    Talk(World& world, NodeIndex ranks) : world_(world), ranks_(ranks) {}

    enum class Kind : uint8_t { report, output, up };
    /// One word more, where the node can say one of that kind now.
    void say(NodeIndex node, Kind kind);
    void say_down(NodeIndex node, NodeIndex child);

    /// Checks that all words of a node that lives have arrived, each in its turn; `parent` is its
    /// only one. Returns the first fault, or an empty text.
    std::string missing_of(NodeIndex node, NodeIndex parent) const;
    /// Returns where a word came twice, out of turn or without the one before it; empty: nowhere.
    std::string disorder(NodeIndex nodes) const;

  private:
    struct Said {
        int reports = 0;
        int lines = 0;
    };
    int life_of(NodeIndex node) const;
    int way_up(NodeIndex node) const;
    int way_down(NodeIndex parent, NodeIndex child) const;
    std::string missing_between(NodeIndex node, NodeIndex parent) const;

    World& world_;
    const NodeIndex ranks_;
    std::map<std::pair<NodeIndex, int>, Said> said_;  ///< by a node's so-manieth relay
    std::map<std::pair<NodeIndex, int>, int> ups_;    ///< by who speaks and its way
    std::map<std::pair<NodeIndex, int>, int> downs_;  ///< by who hears and the way to it
};

}  // namespace launch
