// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "core/async/event.hpp"
#include "core/async/task_group.hpp"
#include "core/head/head_tree.hpp"
#include "core/session/session_hosts.hpp"
#include "core/session/session_log.hpp"
#include "core/session/slot_ledger.hpp"
#include "core/wire/session_messages.hpp"

namespace launch {

/// Keeps the hosts of a session: retries those that are down, lets others join, and dismisses them.
/// The ledger counts the slots that jobs use on the hosts that are up.
class HostKeeper {
  public:
    struct Owner {
        /// The session's state, as clients see it, has changed.
        std::function<void()> changed;
        /// A line for each job that uses one of the nodes.
        std::function<std::vector<std::string>(const std::vector<NodeIndex>& nodes)> users;
    };
    /// The tree begins with these hosts, which have the numbers from 1.
    HostKeeper(any_io_executor executor, HeadTree& tree, const std::vector<Host>& hosts,
               SlotLedger& slots, SessionLog& log, Owner owner);

    const SessionHosts& hosts() const { return hosts_; }
    /// The hosts as clients see them.
    std::vector<SessionHost> state() const;
    size_t count_up() const;

    /// As the tree tells.
    void up(const std::vector<NodeIndex>& nodes);
    void failed(const FailureMessage& failure);
    /// Hosts go that are to leave and that no job uses.
    void let_idle_leave();

    /// Tries hosts again that are down, until stop().
    awaitable<void> keep();
    void stop();
    awaitable<void> join() { return tasks_.join(); }

    /// Adds hosts. They are up when this returns, or the answer says why not: then all new ones
    /// have been dismissed again, or with `allow_missing` those that did not come are retried.
    /// Hosts that were down are tried at once, with the slots that they have. A host that another
    /// user has, or adds meanwhile, stays.
    awaitable<SessionAnswer> add(AddRequest request);
    awaitable<SessionAnswer> remove(RemoveRequest request);

  private:
    void try_again(std::vector<Host> hosts);
    void enlist(const std::vector<Host>& hosts, const HeadTree::Growth& growth);
    awaitable<void> complete(HeadTree::Growth growth);
    void lose(NodeIndex node, const std::string& why);
    awaitable<void> remove_nodes(std::vector<NodeIndex> nodes, bool now);
    awaitable<void> dismiss(std::vector<NodeIndex> nodes, bool now);

    any_io_executor executor_;
    HeadTree& tree_;
    SlotLedger& slots_;
    SessionLog& log_;
    Owner owner_;
    SessionHosts hosts_;
    SessionHosts::UserId last_user_ = 0;
    bool stops_ = false;
    Event changed_;
    TaskGroup tasks_;
};

}  // namespace launch
