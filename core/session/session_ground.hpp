// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <stop_token>
#include <string>

#include "core/async/detached_pool.hpp"
#include "core/factories.hpp"
#include "core/head/spawn_ground.hpp"
#include "core/session/session_place.hpp"

namespace launch {

/// The hosts of a session, for processes that the ranks of a job there ask for: each time a job of
/// the session like any other, with slots of its own, by a connection of its own.
class SessionGround final : public SpawnGround {
  public:
    struct Settings {
        SessionPlace place;
        std::string session;
        SessionChoice choice;        ///< of the job
        Policies policies;           ///< of the job
        uint32_t universe_size = 0;  ///< of the job: what it spawns has the same
    };
    SessionGround(any_io_executor executor, Settings settings, const Factories& factories);

    awaitable<Result<Place>> place(SpawnSpec wanted, uint32_t space) override;
    awaitable<Status> grow(std::vector<Host> hosts) override;
    awaitable<Status> release(std::vector<Host> hosts) override;
    void end() override;

  private:
    awaitable<Status> in_background(std::function<void()> work, milliseconds limit);

    any_io_executor executor_;
    Settings settings_;
    const Factories& factories_;
    DetachedPool pool_;
    std::stop_source stop_;
};

}  // namespace launch
