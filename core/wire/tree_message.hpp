// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/job/job_spec.hpp"
#include "core/topology.hpp"
#include "core/wire/contact.hpp"
#include "core/wire/node_key.hpp"

namespace launch {

/// Hosts that are alike are named in a few bytes: no message is to become more of them than this.
inline constexpr size_t most_subtree_hosts = 1u << 18;
/// The limit for a tree, including nodes that have left it: every number costs some bytes at the
/// nodes above it.
inline constexpr NodeIndex most_nodes = 1u << 20;

/// The part of a tree that is the same for every node, whatever jobs run on it. A relay forwards
/// the bytes as they came.
struct TreeMessage {
    std::string id;        ///< tells links of this tree from those of others
    NodeIndex nodes = 0;   ///< hosts, without the head
    std::string topology;  ///< name with degree, resolved ("kary:32"), never "auto"
    std::string routing;   ///< the same of the routing tree; empty: that of the start
    TransportOptions transport;
    TreePolicies policies;
    std::string launch_path;  ///< the executable of the head, looked for first on every host
    std::vector<uint32_t> launch_owners;  ///< see path_owners(), of the head
    std::string link_key;  ///< that all nodes have, to tell strangers; it proves nobody
    /// A job comes with the start: a node is up when it has looked whether that can start there.
    bool with_job = true;

    /// Its nodes are other processes of the head's machine.
    bool is_local() const { return transport.name == "local"; }

    std::string encode() const;
    static std::optional<TreeMessage> decode(std::string_view payload);
};

/// One contiguous block of the tree: its first node is the receiver.
struct SubtreeMessage {
    std::string tree;         ///< a TreeMessage
    NodeIndex first = 0;      ///< the receiver's node index; the head is 0
    std::vector<Host> hosts;  ///< the hosts of the nodes first, first + 1, ...
    /// Where the ancestors take direct links, the sender first. The sender's own address is empty,
    /// because the receiver knows by which one it was reached; a receiver on the sender's own
    /// machine gets the address, which is its own, too.
    std::vector<Contact> ancestors;
    uint32_t generation = 0;  ///< see core/tree/generations.hpp
    NodeKey key;              ///< the receiver's, with the lineage of the sender
    uint64_t window = 0;      ///< bytes of output that may be on their way to the sender

    std::string encode() const;
    static std::optional<SubtreeMessage> decode(std::string_view payload);
};

}  // namespace launch
