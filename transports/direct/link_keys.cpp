// SPDX-License-Identifier: MIT
#include "transports/direct/link_keys.hpp"

#include "core/base/hex.hpp"
#include "transports/direct/hkdf.hpp"

namespace launch {
namespace {

std::string child_info(NodeRange block) {
    return "launch node " + std::to_string(block.first) + "+" + std::to_string(block.count);
}

}  // namespace

std::optional<std::string> LinkKeys::key_of(NodeRange block) const {
    return hkdf({own_.key, job_id_, child_info(block)}, link_key_size);
}

std::optional<std::string> LinkKeys::link_key(const std::string& key,
                                              const std::string& identity) const {
    return hkdf({key, job_id_, "launch link " + identity}, link_key_size);
}

/// A node's own, or that of one below it.
std::optional<std::string> LinkKeys::key_at(const LinkIdentity& said) const {
    std::optional<std::string> key = own_.key;
    for (const NodeRange& block : said.path)
        if (key) key = hkdf({*key, job_id_, child_info(block)}, link_key_size);
    return key;
}

bool LinkKeys::takes_pairs(LinkPurpose purpose) const {
    if (purpose == LinkPurpose::attach) return routed_;
    return purpose == LinkPurpose::peer;
}

/// The key of one link between two pairs, from their shared secret: both public keys, caller,
/// called node and purpose are inputs (RFC 7748, section 6.1). The job's key, as the salt, keeps
/// out strangers with pairs of their own.
std::optional<std::string> LinkKeys::pair_key(const std::string& other, const std::string& called,
                                              const std::string& identity) const {
    const auto shared = peers_->shared_with(other);
    if (!shared) return std::nullopt;
    return hkdf({*shared, job_key_, "launch pair " + identity + "/" + hex_bytes(called)},
                link_key_size);
}

std::optional<LinkKeys::Proof> LinkKeys::proof_for(NodeIndex to, LinkPurpose purpose) const {
    LinkIdentity said{self_, to, purpose, {}};
    if (auto path = own_.path_from(to)) {
        said.path = std::move(*path);
        return proof_by_path(std::move(said));
    }
    if (!takes_pairs(purpose)) return std::nullopt;
    said.public_key = peers_->own_public_key();
    return proof_by_pair(std::move(said));
}

std::optional<LinkKeys::Proof> LinkKeys::proof_by_path(LinkIdentity said) const {
    Proof proof{said.text(job_id_), {}};
    const auto key = link_key(own_.key, proof.identity);
    if (!key) return std::nullopt;
    proof.key = *key;
    return proof;
}

std::optional<LinkKeys::Proof> LinkKeys::proof_by_pair(LinkIdentity said) const {
    const std::string* const called = peers_->find(said.to);
    if (called == nullptr || said.public_key.empty()) return std::nullopt;
    Proof proof{said.text(job_id_), {}};
    const auto key = pair_key(*called, *called, proof.identity);
    if (!key) return std::nullopt;
    proof.key = *key;
    return proof;
}

std::string LinkKeys::public_key() const {
    peers_->make_own();
    return peers_->own_public_key();
}

bool LinkKeys::is_key_of(NodeIndex node, const std::string& public_key) const {
    const std::string* const known = peers_->find(node);
    return known != nullptr && *known == public_key;
}

std::optional<std::string> LinkKeys::key_by_path(const LinkIdentity& said,
                                                 const std::string& identity) const {
    if (!own_.may_lead_to(said.from, said.path)) return std::nullopt;
    const auto key = key_at(said);
    return key ? link_key(*key, identity) : std::nullopt;
}

std::optional<std::string> LinkKeys::key_by_pair(const LinkIdentity& said,
                                                 const std::string& identity) const {
    if (!takes_pairs(said.purpose)) return std::nullopt;
    if (peers_->knows() && !is_key_of(said.from, said.public_key)) return std::nullopt;
    return pair_key(said.public_key, peers_->own_public_key(), identity);
}

std::optional<LinkKeys::Claim> LinkKeys::claim_of(std::string_view identity) const {
    const auto said = LinkIdentity::parse(job_id_, identity);
    if (!said || said->to != self_) return std::nullopt;
    const std::string text(identity);
    const auto key = said->public_key.empty() ? key_by_path(*said, text) : key_by_pair(*said, text);
    if (!key) return std::nullopt;
    return Claim{said->from, said->purpose, *key, said->public_key, said->path};
}

}  // namespace launch
