// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <functional>
#include <set>
#include <vector>

#include "core/async/asio.hpp"
#include "core/topology.hpp"

namespace launch {

/// The clients of a session that wait for slots, in order of arrival. The free slots of a host are
/// kept for the first one that may use the host, so that a small job does not pass a large one
/// there for ever. Sans I/O.
class SlotQueue {
  public:
    using Client = uint64_t;

    /// The client waits until slots are free on some of these nodes. One that is in the queue
    /// keeps its position. True: it is new.
    bool wait(Client client, const std::vector<NodeIndex>& wished);
    /// The client has learned what is free. If it says nothing until `deadline`, its process is
    /// stopped, and the queue keeps nothing for it until it waits again.
    void tell(Client client, Clock::time_point deadline);
    /// True: the client was in the queue.
    bool leave(Client client);
    /// Lets others pass those whose deadline is over. True: there is one.
    bool pass_over(Clock::time_point now);
    /// The earliest deadline; the end of time if no one waits.
    Clock::time_point next_deadline() const;

    /// The client waits, and knows of no change since.
    bool waits(Client client) const;
    /// Nodes whose free slots are kept for clients that came before this one. A client that is not
    /// in the queue comes last.
    std::set<NodeIndex> kept_from(Client client) const;
    /// The clients that wait and that slots on free nodes can help: none of these nodes is kept for
    /// a client that came before.
    std::set<Client> helped(const std::function<bool(NodeIndex)>& is_free) const;
    /// The clients in the queue, the first one first.
    std::vector<Client> all() const;

  private:
    enum class State : uint8_t {
        waits,
        chooses,     ///< it has got the list of free slots
        is_stopped,  ///< it did not answer in time
    };
    struct Entry {
        Client client = 0;
        std::set<NodeIndex> wished;
        State state = State::waits;
        Clock::time_point deadline{};
    };
    const Entry* find(Client client) const;
    Entry* find(Client client);

    std::vector<Entry> entries_;
};

}  // namespace launch
