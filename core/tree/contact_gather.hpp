// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <optional>
#include <vector>

#include "core/tree/settled_nodes.hpp"
#include "core/wire/contact.hpp"

namespace launch {

/// Gathers the contacts of a block of nodes on their way up the tree of the start. They go up as
/// one message when every node of the block has sent its contact or is known not to come; a later
/// contact goes up at once. Sans I/O. (This is the gathering half of phase 2 of the launch along a
/// tree; all nodes get the result as a RouteTable.)
class ContactGather {
  public:
    ContactGather(NodeIndex first, NodeIndex size) : settled_({first, size}) {}

    /// Adds contacts. The last contact of a node counts; for the head (node 0) the first one
    /// counts, because each child of the head sends the address at which it sees the head.
    void add(const std::vector<Contact>& contacts);
    /// These nodes will not tell their contacts.
    void missing(NodeRange nodes) { settled_.add(nodes); }
    /// These have left, or are lost, and nobody needs their contacts any more.
    void forget(NodeRange nodes);

    /// The contacts to send up now; empty: none.
    std::vector<Contact> take();
    /// Contacts that went up may be lost: those of node `from` and of all nodes with greater
    /// numbers have to go up again.
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
