// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/link/direct_links.hpp"
#include "transports/direct/link_identity.hpp"
#include "transports/direct/peer_keys.hpp"

namespace launch {

/// The keys that prove a node's links, and the keys derived from them.
///
///  - To a node above it in the tree of the start: its own key (NodeKey). The called node derives
///    that key from its own and the path between the two. An attacker who has read a node's memory
///    can speak to nodes above it for that node and those below it, and for no others. (To nodes
///    below it such an attacker can speak for any node: they have their program, their job and
///    their keys from it.)
///  - To others, its parent in a routing tree (`--routing`), ancestors there, or peers: the secret
///    that its own key pair shares with that of the called node (X25519), which only these two can
///    compute. Public keys go up the tree of the start, where each node speaks for those below it,
///    and all of them go down. The caller sends its own; a node that does not have all of them yet
///    can't tell whose it is (Claim::public_key) until it does. An attacker who has read a node's
///    memory can speak for that node, and to it for any node.
///
/// Each key is used for one purpose only: for a link, for a child's key, or not at all. Copies
/// share their pair and their knowledge of others.
class LinkKeys {
  public:
    explicit LinkKeys(const DirectLinkSettings& settings)
        : self_(settings.self),
          job_id_(settings.job_id),
          job_key_(settings.job_key),
          own_(settings.own),
          routed_(settings.routed) {}

    /// The key of a node below, which gets this block.
    std::optional<std::string> key_of(NodeRange block) const;

    /// How this node calls another, and by which key; nothing: it has none for that.
    struct Proof {
        std::string identity;
        std::string key;
    };
    std::optional<Proof> proof_for(NodeIndex to, LinkPurpose purpose) const;

    /// See DirectLinks.
    std::string public_key() const;
    void know(const std::vector<Contact>& nodes) const { peers_->know(nodes); }
    void know_joined(const std::vector<Contact>& nodes) const { peers_->know_joined(nodes); }
    void forget(NodeRange nodes) const { peers_->forget(nodes); }
    /// The public keys of all nodes are known.
    bool knows() const { return peers_->knows(); }
    /// It is that node's.
    bool is_key_of(NodeIndex node, const std::string& public_key) const;

    /// A caller's claim, and the key that it has if the claim is true.
    struct Claim {
        NodeIndex from = 0;
        LinkPurpose purpose = LinkPurpose::move;
        std::string key;
        /// It is who it says if this is that node's. Empty: then it is.
        std::string public_key = {};
        std::vector<NodeRange> path = {};  ///< see DirectCall
    };
    std::optional<Claim> claim_of(std::string_view identity) const;

  private:
    std::optional<std::string> link_key(const std::string& key, const std::string& identity) const;
    std::optional<std::string> key_at(const LinkIdentity& said) const;
    bool takes_pairs(LinkPurpose purpose) const;
    std::optional<std::string> pair_key(const std::string& other, const std::string& called,
                                        const std::string& identity) const;
    std::optional<Proof> proof_by_path(LinkIdentity said) const;
    std::optional<Proof> proof_by_pair(LinkIdentity said) const;
    std::optional<std::string> key_by_path(const LinkIdentity& said,
                                           const std::string& identity) const;
    std::optional<std::string> key_by_pair(const LinkIdentity& said,
                                           const std::string& identity) const;

    NodeIndex self_;
    std::string job_id_;
    std::string job_key_;
    NodeKey own_;
    bool routed_;
    std::shared_ptr<PeerKeys> peers_ = std::make_shared<PeerKeys>();
};

}  // namespace launch
