// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/hosts/host.hpp"
#include "core/wire/messages.hpp"

namespace launch {

/// Which hosts of a tree run a relay, as far as the head has heard. A value without I/O.
class HostRecord {
  public:
    /// Node i + 1 is hosts[i].
    explicit HostRecord(std::vector<Host> hosts)
        : hosts_(std::move(hosts)), states_(hosts_.size(), State::unknown) {}

    /// They join the tree, nothing is known of them yet. Their numbers begin with the result.
    NodeIndex add(const std::vector<Host>& hosts);
    /// That node, which has never run, is to be this host, which it was before.
    void reuse(NodeIndex node, Host host);
    /// The node is to leave, and no job needs it any more.
    void leaves(NodeIndex node);
    /// It has left.
    void left(NodeIndex node);

    /// Returns those of the nodes that run: the report of one that has failed before was late.
    std::vector<NodeIndex> up(std::vector<NodeIndex> nodes);
    void failed(const FailureMessage& failure);
    /// The failure without the nodes whose loss is no news: those that have failed before, since a
    /// relay that loses a child repeats which nodes were lost below it, and those that leave.
    /// Nothing: no node is left.
    std::optional<FailureMessage> news_of(const FailureMessage& failure) const;

    bool is_up(NodeIndex node) const { return has(node) && states_[node - 1] == State::up; }
    /// Every host is up, lost or known to be unreachable.
    bool all_known() const { return first_unknown_ > states_.size(); }
    std::vector<NodeIndex> unknown() const;
    /// Beyond the last one if all are known.
    NodeIndex first_unknown() const { return first_unknown_; }
    bool is_known(NodeIndex node) const {
        return !has(node) || states_[node - 1] != State::unknown;
    }
    bool has_failed(NodeIndex node) const {
        return has(node) && states_[node - 1] == State::failed;
    }
    NodeIndex count() const { return static_cast<NodeIndex>(states_.size()); }
    /// Node i + 1 is or was the i-th.
    const std::vector<Host>& all() const { return hosts_; }
    /// "the head" for node 0; empty for an unknown node, because a relay may name any number.
    std::string name_of(NodeIndex node) const;

  private:
    enum class State : uint8_t { unknown, up, leaves, failed };

    bool has(NodeIndex node) const { return node > 0 && node <= states_.size(); }
    void know(NodeIndex node, State state);

    std::vector<Host> hosts_;
    std::vector<State> states_;
    NodeIndex first_unknown_ = 1;
};

}  // namespace launch
