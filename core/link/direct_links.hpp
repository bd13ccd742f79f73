// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <stop_token>
#include <string>
#include <vector>

#include "core/async/asio.hpp"
#include "core/base/error.hpp"
#include "core/job/link_choice.hpp"
#include "core/transport.hpp"
#include "core/wire/contact.hpp"
#include "core/wire/node_key.hpp"

namespace launch {

/// The purpose of a direct link.
enum class LinkPurpose : uint8_t {
    move,    ///< the link between two neighbours goes on over it
    attach,  ///< the caller looks for a parent
    peer,    ///< large data between any two
};

/// The call of a node, which has proved what stands here.
struct DirectCall {
    NodeIndex from = 0;
    LinkPurpose purpose = LinkPurpose::move;
    /// The blocks from below the called node down to the caller's own, see NodeKey. Empty: the
    /// caller has proved itself by its public key.
    std::vector<NodeRange> path = {};
};

/// Takes the direct links that other nodes open to this node.
class DirectLinkHandler {
  public:
    virtual ~DirectLinkHandler() = default;
    /// False: the caller has no business here now, and is hung up on. Where the public keys of all
    /// nodes are not known yet, the caller may still be another one than it says.
    virtual bool wants_link(const DirectCall& call) = 0;
    /// The link of a call that was wanted when it came.
    virtual void direct_link(const DirectCall& call, std::unique_ptr<ByteStream> stream) = 0;
};

/// TCP connections between nodes of one job, besides those of the transport: authenticated both
/// ways and encrypted. Each end proves which node it is: by its position in the tree of the start
/// if one is above the other, else by the public key that know() received. A caller that cannot
/// prove it is disconnected, and counted. For one thread.
class DirectLinks {
  public:
    virtual ~DirectLinks() = default;

    /// Accepts links from now on. The port, or the reason why it failed.
    virtual Result<uint16_t> listen() = 0;
    /// A link that `peer` has accepted, or the reason why it failed within the limit.
    virtual awaitable<Result<std::unique_ptr<ByteStream>>> dial(Contact peer, LinkPurpose purpose,
                                                                std::chrono::milliseconds limit,
                                                                std::stop_token stop) = 0;
    /// The key of a node below this one that is given such a block; empty: it cannot be made here.
    virtual std::string key_of(NodeRange block) = 0;
    /// By which this node proves itself to those that are neither above nor below it, made at the
    /// first call. Empty: it cannot be made here.
    virtual std::string public_key() = 0;
    /// All nodes and their public keys, once these are known. Earlier callers have to wait until
    /// then.
    virtual void know(const std::vector<Contact>& nodes) = 0;
    /// Nodes that have joined the tree since, and their public keys.
    virtual void know_joined(const std::vector<Contact>& nodes) = 0;
    /// These have left the tree or are lost: their public keys are not needed any more.
    virtual void forget(NodeRange nodes) = 0;
    /// Takes none any more, and waits until nothing is on its way.
    virtual awaitable<void> close() = 0;
    /// Connections that were hung up on.
    virtual uint64_t refused() const = 0;
};

struct DirectLinkSettings {
    NodeIndex self = 0;
    std::string job_id;
    NodeKey own;
    /// link_key_size random bytes that all nodes know. The key keeps strangers from being served,
    /// and proves nothing by itself.
    std::string job_key;
    /// Nodes may have other ancestors than in the tree of the start.
    bool routed = false;
    PortRange ports;
    size_t expected = 0;        ///< so many may come at once
    bool this_machine = false;  ///< all nodes are on this machine: nobody else is let in
    /// Who calls has so long to prove itself.
    std::chrono::milliseconds proof_limit{10'000};
};

inline constexpr size_t link_key_size = 32;

/// The room transports/ is injected into core by cmd/.
using DirectLinksFactory = std::function<std::unique_ptr<DirectLinks>(
    any_io_executor executor, DirectLinkSettings settings, DirectLinkHandler& handler)>;

}  // namespace launch
