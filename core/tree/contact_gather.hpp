#pragma once

#include <map>
#include <optional>
#include <vector>

#include "core/wire/contact.hpp"

namespace launch {

/// The contacts of a block of nodes on their way up the tree of the start: one message when every
/// node of the block has told its own or is known not to come, so that a node sends those of all
/// below it at once. Who is told of late goes up at once. Sans I/O. Phase 2 of the launch along a
/// tree, its gathering half; the other is RouteTable's.
class ContactGather {
  public:
    ContactGather(NodeIndex first, NodeIndex size) : first_(first), known_(size) {}

    /// The latest of a node counts. That of the head (node 0), as a child of it sees it: the first.
    void add(const std::vector<Contact>& contacts);
    /// These will not tell theirs.
    void missing(NodeIndex first, NodeIndex count);

    /// What is to go up now; empty: nothing.
    std::vector<Contact> take();
    /// What has gone up of this node and those with greater numbers may be lost: it is to go again.
    void resend(NodeIndex from = 0) { fresh_.insert(contacts_.lower_bound(from), contacts_.end()); }

    bool complete() const { return accounted_ == known_.size(); }
    /// Null where it is not known.
    const Contact* find(NodeIndex node) const;

  private:
    void account(NodeIndex node);

    NodeIndex first_;
    std::vector<bool> known_;  ///< by node: it has told its contact, or never will
    size_t accounted_ = 0;
    std::map<NodeIndex, Contact> contacts_;
    std::map<NodeIndex, Contact> fresh_;  ///< not taken yet
};

}  // namespace launch
