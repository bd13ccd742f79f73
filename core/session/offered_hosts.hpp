// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/hosts/host.hpp"
#include "core/wire/session_messages.hpp"

namespace launch {

/// The request of a job in a session.
struct HostWish {
    std::vector<Host> hosts;     ///< in this order; empty: any
    bool share = false;          ///< slots of other jobs, too
    bool allow_missing = false;  ///< without those that are not up
    bool keep_places = false;    ///< programs have hosts of their own: all must be up
    std::vector<Host> unwanted;  ///< where it names none: left out, as if the session had not these
    uint32_t most = 0;           ///< where it names none: of those with free slots; 0: all
};

/// The hosts of a session that a job may use.
struct HostOffer {
    /// As the session names them, each with the slots that the job may use there. Hosts without a
    /// free slot are left out.
    std::vector<Host> hosts;
    /// For each requested host its index in `hosts`; nothing: it is left out. Two names may mean
    /// one host, which is offered once. Empty: no host was named.
    std::vector<std::optional<uint32_t>> places;
    /// Other jobs have slots that this one could have: it waits rather than to have more ranks than
    /// slots.
    bool is_part = false;
};

/// Sans I/O. An Error of kind usage: the session has no such host; of kind unreachable: it is not
/// up, or no slot is free.
Result<HostOffer> offered_hosts(const SessionState& session, const HostWish& wish);

/// The nodes of all hosts that the job may use, whether slots are free there or not.
std::vector<NodeIndex> wished_nodes(const SessionState& session, const HostWish& wish);

/// Not enough slots are free: who has them.
Error no_room(const SessionState& session);

}  // namespace launch
