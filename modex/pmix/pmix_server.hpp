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

/// The PMIx service of one job at one node. Requests are handed to the executor, on which
/// PmixEvents is called. All members belong to that same thread.
class PmixServer {
  public:
    /// Blocks, unless what end() returned has been run.
    virtual ~PmixServer() = default;

    /// Expects this rank, and adds what it needs to find us. To be called before it is started.
    virtual Status rank_env(uint32_t rank, std::vector<std::string>& env) = 0;

    /// From now on ranks here may ask about ranks of another job (PmixEvents::pmix_fetch_of()),
    /// until as many times part(), or the end. Blocks for as long as libpmix takes to do it.
    virtual Status meet(const PmixJob& other) = 0;
    virtual void part(const std::string& nspace) = 0;

    /// Removes from a rank's environment the settings of rank_env() that hold for this job alone.
    virtual void leave_out_own_settings(std::vector<std::string>& env) const = 0;
    /// The data that a local rank has published, for a rank elsewhere. Answered when the rank has
    /// published.
    virtual void fetch_local(uint32_t rank, PmixEvents::Done done) = 0;
    /// Answers open requests for data of that rank, which has not published it, with an Error:
    /// soon, because libpmix may be about to answer.
    virtual void give_up_fetches(uint32_t rank) = 0;

    /// A local rank's process is gone, and libpmix is to wait for it in no fence any more. If it
    /// had connected, no other rank may have since its connection ended, nor be about to.
    virtual void stop_waiting_for(uint32_t rank) = 0;

    /// Notifies local ranks that have registered for it that a rank, here or elsewhere, died. Other
    /// ranks are not disturbed: the launcher decides about the job.
    virtual void notify_died(uint32_t rank) = 0;

    /// The library below was opened for tools: by an earlier job of the process it may not have
    /// been.
    virtual bool serves_tools() const = 0;
    /// Passes to tools what a local rank has written.
    virtual void pass_output(uint32_t rank, bool is_error, std::string_view bytes) const = 0;

    /// Delivers an event of another node's PmixEvents::pmix_event() to the local ranks that it is
    /// for.
    virtual void tell_event(const std::string& data) = 0;

    /// The service ends. No event arrives after this, and no `done` that was handed out has an
    /// effect any more. The rest, libpmix's own end and the removal of the folder, is for another
    /// thread, since it may take its time or, where libpmix fails, never return. It owns what it
    /// touches. When it has been run the server may go, and answers what fetch_local() was given
    /// with an Error.
    virtual std::function<void()> end() = 0;
    /// Removes the folder although the task of end() does not end, because libpmix hangs if a rank
    /// was killed while it connected. The process has to end soon.
    virtual void remove_files() = 0;
};

/// The library that serves PMIx, as PmixService needs it. In the product it is libpmix; a
/// simulation has one of its own.
struct PmixLibrary {
    /// Sets the variables that this process needs before start(). On the executor's thread.
    /// `store`: the user's choice, as a value of pmix_store_variable, such as "ds21,ds12,hash" for
    /// memory that ranks share with the server; empty: "hash". Values in the environment, or of an
    /// earlier job, stay.
    std::function<void(const std::string& store)> set_up_environment;
    /// The folder of the server that an earlier job of this process has begun and that stays;
    /// empty: no such server. From any thread.
    std::function<std::string()> kept_folder;
    /// Opens the library and tells it of the job. Blocks, for 5 ms on a good day and for seconds
    /// where the library comes over a slow network: may be called on any thread. An Error says why
    /// this node has no PMIx.
    std::function<Result<std::unique_ptr<PmixServer>>(any_io_executor, PmixJob, PmixEvents&)> start;
};

/// libpmix's server, opened when the first one is started. One per process, because libpmix, the
/// inbox that its callbacks find (server/callbacks) and the environment are global to the process.
/// A PmixServer serves one job, its namespace; all jobs of the process share the library below it
/// (server/process_server), which also knows the jobs that they have met (server/inboxes). libpmix
/// answers its clients on a thread of its own.
PmixLibrary libpmix();

/// The variable that names the store in which libpmix keeps published data.
inline constexpr const char* pmix_store_variable = "PMIX_MCA_gds";
/// That PmixLibrary::set_up_environment() sets: room for these is made early (late_variables.hpp).
inline constexpr size_t most_pmix_variables = 3;

}  // namespace launch
