// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <sys/types.h>

#include "core/base/fd.hpp"
#include "core/session/reservation.hpp"
#include "core/session/session_place.hpp"
#include "core/session/session_talk.hpp"
#include "core/transport.hpp"
#include "core/wire/session_messages.hpp"

namespace launch {

/// The error, of kind usage, that no session has this name.
Error no_such_session(const std::string& name);

/// The socket of a session, and whose it is.
struct SessionSocket {
    SessionTalk::Partner partner;
    UniqueFd socket;
};
/// Blocks for a few seconds at most. An Error of kind usage: no session has this name, or it
/// belongs to another user.
Result<SessionSocket> connect_to_session(const SessionPlace& place, const std::string& name);

/// A connection to a session of this user, before a job begins on it: a SessionTalk whose calls
/// block. Between calls it is only a socket, so that the process may split.
class SessionClient {
  public:
    /// An Error of kind usage: as connect_to_session(), or another build of launch has started it.
    static Result<SessionClient> connect(const SessionPlace& place, const std::string& name);
    /// To a job outside of sessions, which answers as a session with that one job and no name; by
    /// the process that the user started. Nothing: no such job runs.
    static Result<std::optional<SessionClient>> connect_job(pid_t process);
    /// The process that holds the session of that name, whatever its build; 0: no process. An Error
    /// if that cannot be found out: the session may run.
    static Result<pid_t> holder(const SessionPlace& place, const std::string& name);

    /// The state in the session's last message.
    const SessionState& state() const { return state_; }
    /// See reserve_slots().
    Result<SessionPlan> reserve(SlotWish wish, const Factories& factories);
    /// See SessionTalk.
    Result<SessionAnswer> ask(SessionRequest request);
    /// Sends a request that takes as long as hosts take to come or go.
    Result<SessionAnswer> ask_patiently(SessionRequest request);
    /// Asks what may be answered late: by a frame on the socket, to be taken with answer().
    Status ask_late(SessionRequest request);
    Result<SessionAnswer> answer();
    /// Readable when there is an answer, or the session has ended.
    int socket() const { return at_.socket.get(); }
    pid_t pid() const { return at_.partner.process; }
    /// The connection, for the job that slots were reserved for.
    std::unique_ptr<ByteStream> take_stream(any_io_executor executor);

  private:
    explicit SessionClient(SessionSocket at) : at_(std::move(at)) {}

    Status greet();
    template <class Answer, class Call>
    Result<Answer> run(const Call& call);

    SessionSocket at_;
    SessionState state_;
};

}  // namespace launch
