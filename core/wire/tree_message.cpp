// SPDX-License-Identifier: MIT
#include "core/wire/tree_message.hpp"

#include <algorithm>

#include "core/base/codec.hpp"
#include "core/hosts/hostlist.hpp"
#include "core/wire/contact_codec.hpp"
#include "core/wire/time_codec.hpp"

namespace launch {
namespace {

void encode_transport(Encoder& out, const TransportOptions& t) {
    out.text(t.name).text(t.ssh_config);
    out.flag(t.accept_unknown_keys).flag(t.forward_agent).flag(t.verbose);
}

TransportOptions decode_transport(Decoder& in) {
    TransportOptions t;
    t.name = in.text();
    t.ssh_config = in.text();
    t.accept_unknown_keys = in.flag();
    t.forward_agent = in.flag();
    t.verbose = in.flag();
    return t;
}

void encode_policies(Encoder& out, const TreePolicies& p) {
    out.flag(p.verbose).flag(p.stats).flag(p.starts);
    encode_ms(out, p.connect_timeout);
    encode_ms(out, p.start_timeout);
    encode_ms(out, p.liveness);
    out.number(static_cast<uint64_t>(p.links.choice));
    out.number(p.links.ports.first).number(p.links.ports.last).flag(p.links.many_jobs);
    out.number(static_cast<uint64_t>(p.push));
}

TreePolicies decode_policies(Decoder& in) {
    TreePolicies p;
    p.verbose = in.flag();
    p.stats = in.flag();
    p.starts = in.flag();
    p.connect_timeout = decode_ms(in);
    p.start_timeout = decode_ms(in);
    p.liveness = decode_ms(in);
    p.links.choice = decode_enum(in, LinkChoice::direct);
    p.links.ports.first = static_cast<uint16_t>(in.number32());
    p.links.ports.last = static_cast<uint16_t>(in.number32());
    p.links.many_jobs = in.flag();
    p.push = decode_enum(in, PushChoice::never);
    return p;
}

void encode_key(Encoder& out, const NodeKey& key) {
    out.text(key.key).number(key.lineage.size());
    for (const NodeRange& block : key.lineage)
        out.number(block.first).number(block.count);
}

NodeKey decode_key(Decoder& in) {
    NodeKey key;
    key.key = in.text();
    const uint32_t count = in.count();
    for (uint32_t i = 0; in.ok() && i < count; ++i) {
        NodeRange block;
        block.first = in.number32();
        block.count = in.number32();
        key.lineage.push_back(block);
    }
    return key;
}

}  // namespace

std::string TreeMessage::encode() const {
    Encoder out;
    out.text(id).number(nodes).text(topology).text(routing);
    encode_transport(out, transport);
    encode_policies(out, policies);
    out.text(launch_path).number(launch_owners.size());
    for (const uint32_t owner : launch_owners)
        out.number(owner);
    return out.text(link_key).flag(with_job).take();
}

std::optional<TreeMessage> TreeMessage::decode(std::string_view payload) {
    Decoder in(payload);
    TreeMessage tree;
    tree.id = in.text();
    tree.nodes = in.number32();
    tree.topology = in.text();
    tree.routing = in.text();
    tree.transport = decode_transport(in);
    tree.policies = decode_policies(in);
    tree.launch_path = in.text();
    const uint32_t owners = in.count();
    for (uint32_t i = 0; in.ok() && i < owners; ++i)
        tree.launch_owners.push_back(in.number32());
    tree.link_key = in.text();
    tree.with_job = in.flag();
    return checked(in, std::move(tree));
}

std::string SubtreeMessage::encode() const {
    Encoder out;
    out.text(tree).number(first).number(hosts.size()).text(fold_hosts(hosts));
    encode_contacts(out, ancestors);
    out.number(generation);
    encode_key(out, key);
    return out.number(window).take();
}

std::optional<SubtreeMessage> SubtreeMessage::decode(std::string_view payload) {
    Decoder in(payload);
    SubtreeMessage subtree;
    subtree.tree = in.text();
    subtree.first = in.number32();
    // A short message names millions of hosts as easily as one: it says first how many it means.
    const uint32_t count = in.number32();
    auto hosts = parse_hosts(in.text(), std::min<size_t>(count, most_subtree_hosts));
    if (!hosts || hosts->size() != count || count == 0) return std::nullopt;
    subtree.hosts = std::move(*hosts);
    subtree.ancestors = decode_contacts(in);
    subtree.generation = in.number32();
    subtree.key = decode_key(in);
    subtree.window = in.number();
    return checked(in, std::move(subtree));
}

}  // namespace launch
