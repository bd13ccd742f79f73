// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <optional>
#include <vector>

#include "core/tree/settled_nodes.hpp"
#include "core/wire/contact.hpp"

namespace launch {

/// Gathers the contacts of a block of nodes on their way up the tree of the start: they go on as
/// one message when every node of the block has told its own or is known not to come. A contact
/// that is told later goes up at once. Sans I/O. (Of the launch along a tree this is the gathering
/// half of phase 2; all nodes get the result as a RouteTable.)
class ContactGather {
  public:
    ContactGather(NodeIndex first, NodeIndex size) : settled_({first, size}) {}

    /// Of each node the contact that was told last counts; of the head (node 0) the first, since
    /// the head's children tell it, each as it sees the head.
    void add(const std::vector<Contact>& contacts);
    /// These nodes will not tell their contacts.
    void missing(NodeRange nodes) { settled_.add(nodes); }
    /// These have left, or are lost, and nobody needs their contacts any more.
    void forget(NodeRange nodes);

    /// What is to go up now; empty: nothing.
    std::vector<Contact> take();
    /// What has gone up may be lost: the contacts of node `from` and all with greater numbers are
    /// to go again.
    void resend(NodeIndex from = 0) { fresh_.insert(contacts_.lower_bound(from), contacts_.end()); }

    bool complete() const { return settled_.all(); }
    /// The contact of the node; null where it is not known.
    const Contact* find(NodeIndex node) const;

  private:
    SettledNodes settled_;  ///< who has told its contact, or never will
    std::map<NodeIndex, Contact> contacts_;
    std::map<NodeIndex, Contact> fresh_;  ///< not taken yet
};

}  // namespace launch
