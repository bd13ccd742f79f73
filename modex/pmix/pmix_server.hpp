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
/// process, because libpmix, the inbox that its callbacks find (server/callbacks) and the
/// environment are global to the process.
///
/// It serves one job, its namespace; all jobs of the process share the library below it
/// (server/process_server), which also knows the jobs that they have met (server/inboxes).
///
/// libpmix answers its clients on a thread of its own; its requests are handed to the executor, on
/// which PmixEvents is called. All members belong to that same thread, except start().
class PmixServer {
  public:
    /// The variable that names the store in which libpmix keeps published data.
    static constexpr const char* store_variable = "PMIX_MCA_gds";
    /// That set_up_environment() sets: room for these is made early (late_variables.hpp).
    static constexpr size_t most_variables = 3;
    /// Sets the variables that this process needs before start(). On the executor's thread.
    /// `store`: the user's choice, as a value of store_variable, such as "ds21,ds12,hash" for
    /// memory that ranks share with the server; empty: "hash". Values in the environment, or of an
    /// earlier job, stay.
    static void set_up_environment(const std::string& store);
    /// The folder of the server that an earlier job of this process has begun and that stays;
    /// empty: no such server. From any thread.
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

    /// Removes from a rank's environment the settings of rank_env() that hold for this job alone.
    void leave_out_own_settings(std::vector<std::string>& env) const;
    /// The data that a local rank has published, for a rank elsewhere. Answered when the rank has
    /// published.
    void fetch_local(uint32_t rank, PmixEvents::Done done);
    /// Answers open requests for data of that rank, which has not published it, with an Error:
    /// soon, because libpmix may be about to answer.
    void give_up_fetches(uint32_t rank);

    /// A local rank's process is gone, and libpmix is to wait for it in no fence any more. No other
    /// rank may have connected since this one's connection ended, nor be about to.
    void stop_waiting_for(uint32_t rank);

    /// Notifies local ranks that have registered for it that a rank, here or elsewhere, died. Other
    /// ranks are not disturbed: the launcher decides about the job.
    void notify_died(uint32_t rank);

    /// The library below was opened for tools: by an earlier job of the process it may not have
    /// been.
    bool serves_tools() const;
    /// Passes to tools what a local rank has written.
    void pass_output(uint32_t rank, bool is_error, std::string_view bytes) const;

    /// Delivers an event of another node's PmixEvents::pmix_event() to the local ranks that it is
    /// for.
    void tell_event(const std::string& data);

    /// The service ends. No event arrives after this, and no `done` that was handed out has an
    /// effect any more. The rest, libpmix's own end and the removal of the folder, is for another
    /// thread, since it may take its time or, where libpmix fails, never return. It owns what it
    /// touches. When it has been run the server may go, and answers what fetch_local() was given
    /// with an Error.
    std::function<void()> end();
    /// Removes the folder although the task of end() does not end, because libpmix hangs if a rank
    /// was killed while it connected. The process has to end soon.
    void remove_files();

  private:
    class Session;
    explicit PmixServer(std::unique_ptr<Session> session);

    std::unique_ptr<Session> session_;
};

}  // namespace launch
