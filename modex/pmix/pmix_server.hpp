// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "core/async/asio.hpp"
#include "core/base/error.hpp"
#include "modex/pmix/pmix_events.hpp"
#include "modex/pmix/pmix_job.hpp"

namespace launch {

/// The PMIx service of one node: libpmix's server, opened when the first one is started. One per
/// process, since libpmix keeps its state in globals: so do the inbox that its callbacks find
/// (server/callbacks) and the environment of the process.
///
/// It serves one job, its namespace; the library below it is shared by those of all jobs of the
/// process (server/process_server), and knows the jobs that they have met, too (server/inboxes).
///
/// libpmix answers its clients on a thread of its own; what it asks of us is handed to the
/// executor, and PmixEvents hears of it there. All members belong to that same thread, except
/// start().
class PmixServer {
  public:
    /// The variable by which libpmix is told where it keeps what ranks publish.
    static constexpr const char* store_variable = "PMIX_MCA_gds";
    /// That set_up_environment() sets: room for these is made early (late_variables.hpp).
    static constexpr size_t most_variables = 2;
    /// Sets what this process must have in its environment before start(). On the executor's
    /// thread. `store`: the user's choice in the words of store_variable, such as "ds21,ds12,hash"
    /// for memory that ranks share with the server; empty: "hash". What the environment has, or an
    /// earlier job chose, stays.
    static void set_up_environment(const std::string& store);
    /// The folder of the server that an earlier job of this process has begun and that stays;
    /// empty: there is none. From any thread.
    static std::string kept_folder();
    /// Opens libpmix and tells it of the job. Blocks, for 5 ms on a good day and for seconds where
    /// the library comes over a slow network: may be called on any thread. An Error says why this
    /// node has no PMIx.
    static Result<std::unique_ptr<PmixServer>> start(any_io_executor executor, PmixJob job,
                                                     PmixEvents& events);

    /// Blocks, unless what end() returned has been run.
    ~PmixServer();
    PmixServer(const PmixServer&) = delete;
    PmixServer& operator=(const PmixServer&) = delete;

    /// Expects this rank, and adds what it needs to find us. To be called before it is started.
    Status rank_env(uint32_t rank, std::vector<std::string>& env);

    /// From now on ranks here may ask about ranks of another job (PmixEvents::pmix_fetch_of()),
    /// until as many times part(), or the end. Blocks for as long as libpmix takes to do it.
    Status meet(const PmixJob& other);
    void part(const std::string& nspace);

    /// What a local rank has published, for a rank elsewhere. Answered when the rank has published.
    /// What rank_env() has added to a rank's environment that is of this job alone.
    void leave_out_own_settings(std::vector<std::string>& env) const;
    void fetch_local(uint32_t rank, PmixEvents::Done done);
    /// What was asked of that rank by now and has not been published is answered with an Error:
    /// soon, since libpmix may be about to answer.
    void give_up_fetches(uint32_t rank);

    /// A local rank's process is gone, and libpmix is to wait for it in no fence any more. No other
    /// rank may have connected since this one's connection ended, nor be about to.
    void stop_waiting_for(uint32_t rank);

    /// Local ranks that asked to hear of it learn that a rank, here or elsewhere, died. Those that
    /// did not ask are not disturbed: what becomes of the job is the launcher's decision.
    void notify_died(uint32_t rank);

    /// What another node's PmixEvents::pmix_event() was given: for the local ranks it is meant for.
    void tell_event(const std::string& data);

    /// The service ends. No event arrives after this, and no `done` that was handed out has an
    /// effect any more. The rest, libpmix's own end and the removal of the folder, is for another
    /// thread, since it may take its time or, where libpmix fails, never return. It owns what it
    /// touches. When it has been run the server may go, and answers what fetch_local() was given
    /// with an Error.
    std::function<void()> end();
    /// What end() returned does not come to its end, as libpmix hangs where a rank was killed while
    /// it connected: its folder goes all the same. The process is to end soon.
    void remove_files();

  private:
    class Session;
    explicit PmixServer(std::unique_ptr<Session> session);

    std::unique_ptr<Session> session_;
};

}  // namespace launch
