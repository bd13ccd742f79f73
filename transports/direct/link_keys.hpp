#pragma once

#include <optional>
#include <string>

#include "core/link/direct_links.hpp"
#include "transports/direct/link_identity.hpp"

namespace launch {

/// Which keys a node's links are proved by, and what is made of them.
///
///  - To a node above it in the tree of the start: by its own key (NodeKey). The one that is called
///    makes that of its own and the path between the two. Who has seen a node's memory can speak
///    to those above it for that node and those below it, and for nobody else. (To those below it
///    such a one can speak for anybody: they have their program, their job and their keys from it.)
///  - To others, its parent in a routing tree (`--routing`), ancestors there, or peers: by a key
///    that all nodes of the job have. It proves that the caller is one of them, and not which, but
///    for those below the one that is called: of these it proves nothing.
///
/// Each key is used for one thing only: for a link, for a child's key, or not at all.
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

    /// Who calls this node with such words, and the key that it has if it is who it says.
    struct Claim {
        NodeIndex from = 0;
        LinkPurpose purpose = LinkPurpose::move;
        std::string key;
    };
    std::optional<Claim> claim_of(std::string_view identity) const;

  private:
    std::optional<std::string> link_key(const std::string& key, const std::string& identity) const;
    std::optional<std::string> key_at(const LinkIdentity& said) const;
    bool takes_job_key(LinkPurpose purpose) const;

    NodeIndex self_;
    std::string job_id_;
    std::string job_key_;
    NodeKey own_;
    bool routed_;
};

}  // namespace launch
