// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <sys/types.h>

#include "core/base/fd.hpp"
#include "core/session/session_place.hpp"
#include "core/transport.hpp"
#include "core/wire/frame.hpp"
#include "core/wire/session_messages.hpp"

namespace launch {

/// The error, of kind usage, that no session has this name.
Error no_such_session(const std::string& name);

/// A connection to a session of this user, before a job begins on it. Calls block, for as long as
/// a session that runs needs to answer: for a few seconds, else they fail.
class SessionClient {
  public:
    /// An Error of kind usage: no session has this name, or it belongs to another user, or was
    /// started by another build of launch.
    static Result<SessionClient> connect(const SessionPlace& place, const std::string& name);
    /// To a job outside of sessions, which answers as a session with that one job and no name; by
    /// the process that the user started. Nothing: no such job runs.
    static Result<std::optional<SessionClient>> connect_job(pid_t process);
    /// The process that holds the session of that name, whatever its build; 0: no process. An Error
    /// if that cannot be found out: the session may run.
    static Result<pid_t> holder(const SessionPlace& place, const std::string& name);

    /// The state in the session's last message.
    const SessionState& state() const { return state_; }
    /// Waits in the session's queue until slots have become free on those nodes, or hosts have come
    /// or failed since state() was received; without a deadline.
    Status wait_for_slots(std::vector<NodeIndex> wished);
    Result<SessionAnswer> ask(const SessionRequest& request);
    /// Sends a request that takes as long as hosts take to come or go.
    Result<SessionAnswer> ask_patiently(const SessionRequest& request);
    /// Asks what may be answered late: by a frame on the socket, to be taken with answer().
    Status ask_late(const SessionRequest& request);
    Result<SessionAnswer> answer();
    /// Readable when there is an answer, or the session has ended.
    int socket() const { return socket_.get(); }
    pid_t pid() const { return pid_; }
    /// The connection, for the job that slots were reserved for.
    std::unique_ptr<ByteStream> take_stream(any_io_executor executor);

  private:
    SessionClient(std::string name, UniqueFd socket, pid_t pid)
        : name_(std::move(name)), socket_(std::move(socket)), pid_(pid) {}

    Status greet();
    Status send(FrameType type, std::string_view payload);
    Result<Frame> receive(FrameType type);
    Status receive_state();
    void limit_waiting(std::chrono::seconds limit);
    Error gone() const;

    std::string name_;
    UniqueFd socket_;
    pid_t pid_;
    SessionState state_;
};

}  // namespace launch
