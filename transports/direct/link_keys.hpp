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

/// Which keys a node's links are proved by, and what is made of them.
///
///  - To a node above it in the tree of the start: by its own key (NodeKey). The one that is called
///    makes that of its own and the path between the two. Who has seen a node's memory can speak
///    to those above it for that node and those below it, and for nobody else. (To those below it
///    such a one can speak for anybody: they have their program, their job and their keys from it.)
///  - To others, its parent in a routing tree (`--routing`), ancestors there, or peers: by what its
///    own key pair and that of the one who is called have in common (X25519), which only these two
///    can make. Public keys go up the tree of the start, where each node speaks for those below it,
///    and all of them down. The caller says its own; a node that does not know all of them yet
///    can't tell whose it is (Claim::public_key) until it does. Who has seen a node's memory can
///    speak for that node, and to it for anybody.
///
/// Each key is used for one thing only: for a link, for a child's key, or not at all. Copies have
/// their pair and what they know of others in common.
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

    /// Who calls this node with such words, and the key that it has if it is who it says.
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
