#include "transports/direct/link_keys.hpp"

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

bool LinkKeys::takes_job_key(LinkPurpose purpose) const {
    if (purpose == LinkPurpose::attach) return routed_;
    return purpose == LinkPurpose::peer;
}

std::optional<LinkKeys::Proof> LinkKeys::proof_for(NodeIndex to, LinkPurpose purpose) const {
    LinkIdentity said{self_, to, purpose, {}};
    auto path = own_.path_from(to);
    if (!path && !takes_job_key(purpose)) return std::nullopt;
    if (path) said.path = std::move(*path);
    Proof proof{said.text(job_id_), {}};
    const auto key = link_key(said.path.empty() ? job_key_ : own_.key, proof.identity);
    if (!key) return std::nullopt;
    proof.key = *key;
    return proof;
}

std::optional<LinkKeys::Claim> LinkKeys::claim_of(std::string_view identity) const {
    const auto said = LinkIdentity::parse(job_id_, identity);
    if (!said || said->to != self_) return std::nullopt;
    const bool descends = !said->path.empty();
    // Who is below this node has a key that says which one it is, and uses that.
    const bool may_be = descends ? own_.may_lead_to(said->from, said->path)
                                 : takes_job_key(said->purpose) && !own_.is_above(said->from);
    if (!may_be) return std::nullopt;
    const auto node_key = descends ? key_at(*said) : job_key_;
    if (!node_key) return std::nullopt;
    const auto key = link_key(*node_key, std::string(identity));
    if (!key) return std::nullopt;
    return Claim{said->from, said->purpose, *key};
}

}  // namespace launch
