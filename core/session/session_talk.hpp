// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <sys/types.h>
#include <vector>

#include "core/async/asio.hpp"
#include "core/transport.hpp"
#include "core/wire/frame.hpp"
#include "core/wire/session_messages.hpp"

namespace launch {

/// An Error that says so of a session, or of a job outside of sessions, whose name is empty. The
/// user named the session.
Error session_error(const std::string& name, std::string cause, std::string advice);
/// The advice for a user whose session cannot be had.
inline constexpr const char* session_hint = "`launch session list` shows all sessions";

/// The conversation of a client with its session before a job begins on their connection
/// (core/wire/session_messages.hpp). Nothing is read beyond the frame that is waited for, so that
/// what follows is for the job. An Error, of kind unreachable, comes when the session has ended or
/// does not answer in time: the connection is of no use then.
class SessionTalk {
  public:
    /// The session, or the job outside of sessions, that is asked.
    struct Peer {
        std::string name;  ///< of the session; empty: a job outside of sessions
        pid_t process = 0;
    };
    /// How long an answer takes at most; nothing: as long as it takes.
    using Limit = std::optional<milliseconds>;

    /// A stop closes the connection.
    SessionTalk(any_io_executor executor, Peer peer, std::unique_ptr<ByteStream> stream,
                std::stop_token stop = {});

    /// The state with which the session greets. An Error of kind usage: another build of launch has
    /// started it.
    awaitable<Result<SessionState>> greet(Limit limit);
    awaitable<Status> say(SessionRequest request);
    awaitable<Result<SessionAnswer>> answer(Limit limit);
    awaitable<Result<SessionAnswer>> ask(SessionRequest request, Limit limit);
    /// Waits in the session's queue until slots have become free on those nodes, or hosts have come
    /// or failed since the session told its state; without a limit. The result is its state then.
    awaitable<Result<SessionState>> wait_for_slots(std::vector<NodeIndex> wished);

    const Peer& peer() const { return peer_; }
    /// The connection, for the job that slots were reserved for.
    std::unique_ptr<ByteStream> take_stream() { return std::move(stream_); }

  private:
    awaitable<Result<Frame>> receive(FrameType type, Limit limit);
    awaitable<bool> fill(std::span<char> bytes);
    awaitable<Result<SessionState>> receive_state(Limit limit);
    Error unreadable() const;
    Error silent(milliseconds limit) const;
    Error gone() const;

    any_io_executor executor_;
    Peer peer_;
    std::unique_ptr<ByteStream> stream_;
    std::stop_token stop_;
};

}  // namespace launch
