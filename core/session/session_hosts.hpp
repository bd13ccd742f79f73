// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "core/async/asio.hpp"
#include "core/hosts/host.hpp"
#include "core/topology.hpp"

namespace launch {

/// The hosts of a session: which node each is, whether it runs, and when one that is down is tried
/// again. A host that has run and comes back is a node of another number, so that nothing that was
/// said of the one before is taken for its own. Sans I/O.
class SessionHosts {
  public:
    using UserId = uint32_t;  ///< of one request to add hosts; no two have the same
    enum class State : uint8_t {
        starting,  ///< for the first time, or again
        up,
        down,  ///< it is tried again
    };
    struct Entry {
        Host host;
        NodeIndex node = 0;  ///< in the tree; of one that is down the last one
        State state = State::starting;
        bool stays = false;      ///< the session began with it, or has told a user that it has it
        std::set<UserId> users;  ///< who have added it, and have no answer yet
        std::string why;         ///< it is down, or was before it was tried again
        uint32_t tries = 0;      ///< in a row that came to nothing
        Clock::time_point next_try{};
        Clock::time_point since{};  ///< of its state

        /// It gets no new jobs, and is removed when it has none.
        bool leaves() const { return !stays && users.empty(); }
    };

    /// Nodes first, first + 1, ... are these, and are being started. They leave where nobody wants
    /// them.
    void add(const std::vector<Host>& hosts, NodeIndex first, Clock::time_point now);
    void remove(const std::vector<NodeIndex>& nodes);

    const std::vector<Entry>& all() const { return entries_; }
    const Entry* find(NodeIndex node) const;
    /// That is meant by what a user says; what is left out of it may be anything.
    const Entry* find(const Host& wanted) const;

    /// It runs. True: it had been down.
    bool up(NodeIndex node, Clock::time_point now);
    /// It does not, and is tried again: by core/link/patience, with `jitter` from 0 to 1. False: it
    /// is none of these.
    bool down(NodeIndex node, const std::string& why, Clock::time_point now, double jitter);
    /// Nobody wants them any more, whoever has added them.
    void leave(const std::vector<NodeIndex>& nodes);
    /// All that are there now stay.
    void stay();
    /// The user adds them, and does not know yet whether they come.
    void want(const std::vector<NodeIndex>& nodes, UserId user);
    /// The user gets the answer: all hosts that the user wanted stay, or they are as if the user
    /// had not asked.
    void answer(UserId user, bool they_stay);

    /// When the next one is to be tried; nothing: none is down.
    std::optional<Clock::time_point> next_try() const;
    /// The hosts that have to be tried now.
    std::vector<Host> due(Clock::time_point now) const;
    /// It is tried as that node. False: it is none of these, by the same user and port.
    bool restart(const Host& host, NodeIndex node, Clock::time_point now);
    /// A user says that a host which is down is not any more: what it was counts for nothing, and
    /// it has so many slots from now on.
    void mended(const Host& host);

  private:
    std::vector<Entry*> entries_of(const std::vector<NodeIndex>& nodes);
    Entry* entry(NodeIndex node);
    Entry* entry(const Host& host);

    std::vector<Entry> entries_;
};

/// Hosts that a user wants to add, by what the session has of them.
struct AddedHosts {
    std::vector<Host> fresh;  ///< nothing
    std::vector<Host> down;   ///< as the session names them; to be tried at once
    /// These are being started, or may leave again; as the session names them.
    std::vector<Host> unsure;
    std::vector<Host> there;  ///< it has them already
    std::vector<Host> twice;  ///< the same host is meant by another word, too
};
/// Sorts the requested hosts. A host that is down keeps its slots, unless the user gives more than
/// one.
AddedHosts sort_added(const SessionHosts& hosts, const std::vector<Host>& wanted);

/// A user who says the name alone means the host, by whatever user and port.
bool is_meant(const Host& host, const Host& wanted);
bool is_among(const Host& host, const std::vector<Host>& wanted);

}  // namespace launch
