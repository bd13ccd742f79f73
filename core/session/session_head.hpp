// SPDX-License-Identifier: MIT
#pragma once

#include <deque>
#include <functional>
#include <list>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/head/head_tree.hpp"
#include "core/head/host_starts.hpp"
#include "core/head/start_progress.hpp"
#include "core/link/door.hpp"
#include "core/run/survey_desk.hpp"
#include "core/session/detached_jobs.hpp"
#include "core/session/host_keeper.hpp"
#include "core/session/session_job.hpp"
#include "core/session/session_log.hpp"
#include "core/session/slot_ledger.hpp"
#include "core/session/slot_queue.hpp"
#include "core/wire/session_messages.hpp"

namespace launch {

/// The head of a session: holds the tree, counts slots, and serves clients at a socket.
class SessionHead : public TreeWatch {
  public:
    struct Settings {
        std::string name;
        milliseconds idle{0};  ///< it ends when no job has run for so long; 0: never
    };
    /// The plan, of which only hosts and trees count, outlives this.
    SessionHead(any_io_executor executor, const Plan& plan, HeadTree& tree, Settings settings);

    /// Until every host is up or known not to be. The result is why those that are not failed.
    awaitable<std::vector<FailureMessage>> start();
    /// After start(): takes clients at that socket. An Error says why it cannot be made.
    Status open(const std::string& socket);
    /// A client has come, by that link, for which a writer runs until the link is closed.
    void let_in(const Peer& who, std::shared_ptr<FramedLink> link);
    /// Runs until the session is ordered to stop, or has been idle for long enough.
    awaitable<void> run();
    void stop();
    /// Ends running jobs; then all relays leave. The socket goes first.
    awaitable<void> finish();

    size_t hosts_up() const { return keeper_.count_up(); }
    /// Until start() is over: how far it is.
    StartingHosts starting() const;

    void hosts_up(const std::vector<NodeIndex>& nodes) override;
    void hosts_starting(const StartsMessage& starts) override { starts_.take(starts); }
    void hosts_failed(const FailureMessage& failure) override;
    void notice(const NoticeMessage& notice) override;
    void note(const std::string& text) override { log_.add(text); }
    void routes_changed() override { changed_.notify(); }

  private:
    /// A connection, of a job from when it has reserved slots.
    struct Client {
        std::shared_ptr<FramedLink> link;
        Peer peer;
        JobNumber number{};
        std::optional<SlotLedger::Parts> reserved;
        SlotQueue::Client id = 0;              ///< in the queue
        uint64_t told = 0;                     ///< which state
        std::optional<JobNumber> detached{};   ///< the job that it runs, and will tell the end of
        std::optional<JobNumber> waits_for{};  ///< the job for whose outcome it waits
    };

    awaitable<void> serve(Client& client);
    void give_back(Client& client);
    awaitable<bool> take(Client& client, const Frame& frame);
    void answer(Client& client, const SessionRequest& request);
    std::optional<SessionAnswer> answer_to(Client& client, const SessionRequest& request);
    awaitable<void> answer_late(Client& client, SessionRequest request);
    std::vector<std::string> users_of(const std::vector<NodeIndex>& nodes) const;
    SessionAnswer reserve(Client& client, const ReserveRequest& request);
    SessionAnswer send_signal(const SignalRequest& request);
    awaitable<void> survey(Client& client, SurveyRequest request);
    SessionAnswer where_output_is(JobNumber job) const;
    void end_detached(Client& client, std::optional<int> exit_code);
    awaitable<void> run_job(Client& client, std::string_view start);
    bool may_pass(const Client& client) const;
    bool is_kept(const ReserveRequest& request, SlotQueue::Client client) const;
    void tell_state(Client& client);
    enum class Changed : uint8_t { slots, hosts };
    void tell_waiting(Changed changed);
    SessionState state_for(const Client& client) const;
    awaitable<void> keep_queue();
    SessionJobState state_of(const Client& client, const JobMessage& message) const;
    awaitable<void> keep_idle_limit();

    any_io_executor executor_;
    const Plan& plan_;
    HeadTree& tree_;
    Settings settings_;
    SlotLedger slots_;
    SlotQueue queue_;
    SlotQueue::Client last_client_ = 0;
    SessionLog log_;
    HostKeeper keeper_;
    DetachedJobs detached_;
    SurveyDesk surveys_;
    uint64_t last_survey_ = 0;
    HostStarts starts_;
    std::vector<FailureMessage> failures_;
    std::map<JobNumber, SessionJobState> jobs_;  ///< that run
    std::map<JobNumber, std::string> job_ids_;   ///< of those
    std::list<Client> clients_;
    Door door_;
    uint32_t last_job_ = 0;
    uint64_t changes_ = 0;  ///< of what is free
    uint64_t began_;
    Clock::time_point idle_since_;
    bool stops_ = false;
    Event changed_;
    TaskGroup tasks_;
};

}  // namespace launch
