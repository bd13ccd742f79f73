// SPDX-License-Identifier: MIT
#pragma once

#include <stop_token>
#include <string>

#include "core/async/detached_pool.hpp"
#include "core/session/session_place.hpp"
#include "core/session/session_talk.hpp"

namespace launch {

/// Makes connections to a session of this user for coroutines: in a thread, as a session that
/// stands still may take none for some seconds.
class SessionCaller {
  public:
    SessionCaller(any_io_executor executor, SessionPlace place, std::string session);

    /// A session that has not greeted yet. A stop ends the call, and later the talk. An Error: as
    /// connect_to_session(), or there is no thread.
    awaitable<Result<SessionTalk>> call(std::stop_token stop);

  private:
    any_io_executor executor_;
    const SessionPlace place_;
    const std::string session_;
    DetachedPool pool_;
};

}  // namespace launch
