// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <sys/types.h>
#include <vector>

#include "core/async/asio.hpp"
#include "core/link/patience.hpp"
#include "core/transport.hpp"
#include "core/wire/frame.hpp"
#include "core/wire/session_messages.hpp"

namespace launch {

/// An Error that says so of a session, or of a job outside of sessions, whose name is empty. The
/// user named the session.
Error session_error(const std::string& name, std::string cause, std::string advice);
/// ... where nothing that the user has said is wrong.
Error lost_session(const std::string& name, std::string cause, std::string advice);
/// The advice for a user whose session cannot be had.
inline constexpr const char* session_hint = "`launch session list` shows all sessions";

/// The conversation of a client with its session before a job begins on their connection
/// (core/wire/session_messages.hpp). Nothing is read beyond the frame that is waited for, so that
/// what follows is for the job. An Error of kind unreachable comes when the session has ended, or
/// has not answered for patience::answer, except where the answer may take longer. The connection
/// is of no use then.
class SessionTalk {
  public:
    /// The session, or the job outside of sessions, that is asked.
    struct Partner {
        std::string name;  ///< of the session; empty: a job outside of sessions
        pid_t process = 0;
    };
    /// A stop ends whatever waits for the session, with an Error.
    SessionTalk(any_io_executor executor, Partner partner, std::unique_ptr<ByteStream> stream,
                std::stop_token stop = {});

    /// The state with which the session greets. An Error of kind usage: another build of launch has
    /// started it.
    awaitable<Result<SessionState>> greet();
    awaitable<Status> say(SessionRequest request);
    awaitable<Result<SessionAnswer>> answer();
    awaitable<Result<SessionAnswer>> ask(SessionRequest request);
    /// Asks what takes as long as hosts take to come or go.
    awaitable<Result<SessionAnswer>> ask_patiently(SessionRequest request);
    /// Waits in the session's queue until slots have become free on those nodes, or hosts have come
    /// or failed since the session told its state; without a limit. The result is its state then.
    awaitable<Result<SessionState>> wait_for_slots(std::vector<NodeIndex> wished);

    /// The connection, for the job that slots were reserved for.
    std::unique_ptr<ByteStream> take_stream() { return std::move(stream_); }

  private:
    using Deadline = std::optional<Clock::time_point>;

    static Deadline usual() { return Clock::now() + patience::answer; }
    awaitable<Result<Frame>> receive(FrameType type, Deadline deadline);
    awaitable<bool> fill(std::span<char> bytes);
    template <class Message>
    awaitable<Result<Message>> receive_as(FrameType type, Deadline deadline);
    Error unreadable() const;
    Error lost(bool is_silent) const;

    any_io_executor executor_;
    Partner partner_;
    std::unique_ptr<ByteStream> stream_;
    std::stop_token stop_;
};

}  // namespace launch
