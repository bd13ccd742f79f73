// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/wire/contact.hpp"
#include "transports/direct/key_pair.hpp"

namespace launch {

/// A node's own key pair, and the public keys of the others.
class PeerKeys {
  public:
    /// The pair, at the first call. Nothing else makes one.
    void make_own();
    /// Empty: there is no pair, or it cannot be made here.
    std::string own_public_key() const { return own_ ? own_->public_key() : std::string(); }
    /// Nothing where this node has no pair, or the other key is none.
    std::optional<std::string> shared_with(const std::string& public_key) const;

    /// All nodes of the tree of the start.
    void know(const std::vector<Contact>& nodes);
    /// Nodes that have joined the tree, which may be reported before the others are known.
    void know_joined(const std::vector<Contact>& nodes);
    /// Forgets these nodes, which are gone.
    void forget(NodeRange nodes);
    bool knows() const { return knows_; }
    /// The key of a node; null: it has none, or is not known.
    const std::string* find(NodeIndex node) const;

  private:
    std::optional<KeyPair> own_;
    std::map<NodeIndex, std::string> public_keys_;
    bool knows_ = false;
};

}  // namespace launch
