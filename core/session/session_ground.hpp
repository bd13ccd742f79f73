// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <stop_token>
#include <string>
#include <vector>

#include "core/async/gate.hpp"
#include "core/factories.hpp"
#include "core/head/spawn_ground.hpp"
#include "core/session/session_plan.hpp"
#include "core/session/session_talk.hpp"

namespace launch {

/// The hosts of a session, for processes that the ranks of a job there ask for: each time a job of
/// the session like any other, with slots of its own, by a connection of its own.
class SessionGround final : public SpawnGround {
  public:
    struct Settings {
        /// Connects to the session, which has not greeted then. A stop ends it.
        std::function<awaitable<Result<SessionTalk>>(std::stop_token stop)> connect;
        uint32_t client = 0;         ///< the process of the job, as the session knows it
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
    class Errand;
    /// A session that has greeted, as long as this request has its turn.
    struct Met {
        Gate::Pass turn;
        SessionTalk talk;
        SessionState state;
    };
    struct Reserved {
        Met met;
        SessionPlan made;
    };
    /// The outcome of a try. Another try may do better when slots are free.
    template <class Outcome>
    struct Tried {
        Outcome outcome;
        bool may_improve = false;
    };
    template <class Outcome>
    using Try = std::function<awaitable<Tried<Outcome>>()>;

    awaitable<Result<Met>> meet(const Errand& errand);
    template <class Outcome>
    awaitable<Outcome> until_slots_are_free(const Errand& errand, Try<Outcome> try_now);
    bool others_may_leave(const SessionState& session) const;
    awaitable<Tried<Status>> look_for_slots(const Errand& errand, const SpawnSpec& wanted);
    awaitable<Status> add(const Errand& errand, std::vector<Host> hosts);
    awaitable<Tried<Result<Reserved>>> try_to_place(const Errand& errand, const SpawnSpec& wanted);
    Place place_on(Reserved got, uint32_t space) const;

    any_io_executor executor_;
    Settings settings_;
    const Factories& factories_;
    std::stop_source ending_;
    Gate talks_;  ///< at a time: a job may ask for much at once
};

}  // namespace launch
