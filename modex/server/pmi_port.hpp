// SPDX-License-Identifier: MIT
#pragma once

#include <list>
#include <string>

#include "core/async/task_group.hpp"
#include "core/base/error.hpp"
#include "core/base/fd.hpp"
#include "modex/server/rank_ids.hpp"

namespace launch {

/// A connection that a rank has made.
struct PortArrival {
    uint32_t rank = 0;
    uint32_t id = 0;
    UniqueFd socket;
    std::string said;  ///< what has been read of it: its initack, at least
};

class PmiPortHandler {
  public:
    virtual ~PmiPortHandler() = default;

    /// False: the rank has a connection already.
    virtual bool came(PortArrival arrival) = 0;
};

/// A port of this machine's loopback (PMI_PORT), for ranks whose wrapper closes the sockets they
/// would inherit. Any process of the machine can connect; one that is not this user's or root's, or
/// of which the kernel does not tell whose it is, is refused before it has said anything: an id has
/// 31 bits, as clients read it with atoi(), and could be guessed. A process of this user that does
/// not begin, and soon, with the id of a rank is refused; of many that say nothing the first to
/// come make room for the next.
class PmiPort {
  public:
    PmiPort(any_io_executor executor, PmiPortHandler& handler);

    /// Ranks can connect when this returns. Once.
    Status open();
    bool is_open() const { return listener_.is_open(); }
    /// "127.0.0.1:4711"
    std::string address() const { return "127.0.0.1:" + std::to_string(port_); }
    /// The id that the rank is to say.
    uint32_t invite(uint32_t rank) { return ids_.add(rank); }
    /// The rank's process is gone: it has come by now, or comes no more.
    void forget(uint32_t rank);
    uint64_t refused() const { return refused_; }
    awaitable<void> close();

  private:
    /// Somebody who has connected and not yet said who it is.
    struct Guest {
        asio::posix::stream_descriptor socket;
        Clock::time_point deadline;
        std::string said;
    };
    using Guests = std::list<Guest>;

    awaitable<void> listen();
    awaitable<void> keep_time();
    awaitable<void> attend(Guests::iterator guest);
    bool admit_all();
    void admit(UniqueFd socket);
    void hear(Guests::iterator guest);
    void refuse(Guests::iterator guest);
    void dismiss(Guests::iterator guest);
    void receive(Guests::iterator guest, uint32_t id, uint32_t rank);

    any_io_executor executor_;
    PmiPortHandler& handler_;
    asio::posix::stream_descriptor listener_;
    uint16_t port_ = 0;
    RankIds ids_;
    Guests guests_;  ///< in the order of their deadlines
    Guests gone_;    ///< refused or received; each until its coroutine has seen that
    uint64_t refused_ = 0;
    Event changed_;
    TaskGroup tasks_;
};

}  // namespace launch
