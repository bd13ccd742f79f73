// SPDX-License-Identifier: MIT
#include "core/session/session_caller.hpp"

#include <utility>

#include "core/io/fd_stream.hpp"
#include "core/link/patience.hpp"
#include "core/session/session_client.hpp"

namespace launch {
namespace {

/// The number of threads, and the time until one that is not needed any more leaves.
constexpr size_t calling_threads = 4;
constexpr milliseconds thread_lingers{1000};

}  // namespace

SessionCaller::SessionCaller(any_io_executor executor, SessionPlace place, std::string session)
    : executor_(executor),
      place_(std::move(place)),
      session_(std::move(session)),
      pool_(std::move(executor), calling_threads, thread_lingers) {}

awaitable<Result<SessionTalk>> SessionCaller::call(std::stop_token stop) {
    const auto called = std::make_shared<std::optional<Result<SessionSocket>>>();
    std::function<void()> work = [called, place = place_, session = session_] {
        called->emplace(connect_to_session(place, session));
    };
    const bool done = co_await pool_.run(std::move(work), patience::answer, stop);
    if (!done)
        co_return pool_.no_thread().value_or(
            lost_session(session_, "the session does not answer", {}));
    Result<SessionSocket>& at = **called;
    if (!at) co_return std::move(at.error());
    auto stream = std::make_unique<FdStream>(executor_, std::move(at->socket));
    co_return SessionTalk(executor_, std::move(at->partner), std::move(stream), std::move(stop));
}

}  // namespace launch
