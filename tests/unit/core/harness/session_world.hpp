// SPDX-License-Identifier: MIT
#pragma once

#include <list>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "core/head/job_run.hpp"
#include "core/session/reservation.hpp"
#include "core/session/session_head.hpp"
#include "core/session/session_tree.hpp"
#include "core/wire/session_messages.hpp"
#include "tests/unit/core/harness/network.hpp"
#include "tests/unit/core/harness/played_head.hpp"
#include "tests/unit/core/harness/played_user.hpp"
#include "tests/unit/core/harness/scripted_ranks.hpp"
#include "tests/unit/core/harness/simulated_run.hpp"

namespace launch {

/// A session in one process: the process that holds it, its relays, and its clients, each with a
/// job and a user. All but the users and the ranks is the product's own.
class SessionWorld {
  public:
    /// On the hosts of the spec.
    explicit SessionWorld(JobSpec spec, uint64_t seed = 1, const Bounds& bounds = {});
    ~SessionWorld();
    SessionWorld(const SessionWorld&) = delete;
    SessionWorld& operator=(const SessionWorld&) = delete;

    /// A job of a client. Its ranks have the names "1.0", "1.1" ... in the first job, and those
    /// that they spawn "1.1.0" ...
    class Client {
      public:
        Client(SessionWorld& world, uint32_t number, SlotWish wish);

        bool runs() const { return run_ != nullptr && !over_; }
        bool is_over() const { return over_; }
        Clock::time_point ended_at() const { return ended_at_; }
        int exit_code() const;
        /// The session has refused it so.
        const std::optional<Error>& refused() const { return refused_; }
        RankName rank(uint32_t rank) const { return {number_, 0, rank}; }
        /// The rank is one of this job, or its ranks have spawned it.
        bool has(const RankName& rank) const { return rank.job == number_; }
        /// The session sees the end of its process. Here it runs on, cut off from the session.
        void die();

        PlayedUser user;

      private:
        friend class SessionWorld;
        awaitable<void> live();
        awaitable<void> wait_for_slots(SessionTalk session);
        awaitable<void> run(SessionPlan made, SessionTalk session);
        awaitable<Result<SessionTalk>> connect(std::stop_token stop);

        SessionWorld& world_;
        const uint32_t number_;
        const SlotWish wish_;
        std::optional<Plan> plan_;
        std::vector<std::shared_ptr<Cable>> cables_;  ///< to the session
        bool is_dead_ = false;
        std::unique_ptr<SessionTree> tree_;
        std::unique_ptr<JobRun> run_;
        std::optional<Error> refused_;
        bool over_ = false;
        Clock::time_point ended_at_;
    };

    /// Begins a job with so many ranks, as soon as there are slots for it. One that does not wait
    /// (`--no-wait`) is refused if all slots are taken.
    Client& begin(uint32_t ranks, bool waits = true);
    /// Asks as `launch session add` does. The call comes when the session has answered.
    void ask(SessionRequest request, std::function<void(const SessionAnswer&)> answered);
    /// The session, as `launch session list` shows it.
    SessionState state();
    /// Something that happens after that time.
    void after(Clock::duration time, std::function<void()> what);
    template <class Done>
    bool until(const Done& done) {
        return simulation.until(done);
    }
    /// Orders it to end.
    void stop() { session_.stop(); }
    /// As stop(), and waits for the end. False: something has none.
    bool finish(Clock::duration limit = std::chrono::minutes{100});
    /// The session takes jobs.
    bool is_ready() const { return ready_; }
    size_t hosts_up() const { return session_.hosts_up(); }

    SimulatedRun simulation;
    Network network;
    ScriptedRanks ranks{network};

  private:
    awaitable<void> hold();
    std::shared_ptr<Cable> connect(uint32_t process);
    SessionTalk talk_over(Cable& cable, std::stop_token stop = {});
    awaitable<void> ask_for(SessionRequest request,
                            std::function<void(const SessionAnswer&)> answered);

    PlayedHead head_;
    HeadOptions options_;
    SessionHead session_;
    std::list<Client> clients_;
    bool ready_ = false;
    bool over_ = false;
};

}  // namespace launch
