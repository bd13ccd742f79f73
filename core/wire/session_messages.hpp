// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "core/base/error.hpp"
#include "core/hosts/host.hpp"
#include "core/job/job_spec.hpp"
#include "core/topology.hpp"
#include "core/wire/job_text.hpp"
#include "core/wire/signal_message.hpp"
#include "core/wire/survey.hpp"

namespace launch {

/// Messages between a session and its clients, by a socket on the head's machine. The session
/// greets (Hello) and sends its state; then it answers requests. A client whose slots were reserved
/// begins a job as a parent in a tree does with its child (FrameType::job, with JobStart). From
/// there on the two communicate as neighbours in a tree do, for that job only and without its
/// number, until the end of the output, whose bytes are a NodesMessage: hosts that have not cleaned
/// up.

struct SessionHost {
    Host host;
    NodeIndex node = 0;  ///< in the tree; a host that comes back is another node
    bool up = false;
    bool leaves = false;  ///< it takes no new jobs, and goes when it has none
    uint32_t used = 0;    ///< slots; more than there are where jobs share them
    std::string why;      ///< it is not up; empty: it has not failed
    /// When it is tried again, in seconds of the Unix epoch; 0: it is up, or being started.
    uint64_t next_try = 0;
    bool is_kept = false;  ///< its free slots are for jobs that wait, and came before

    bool takes_jobs() const { return up && !leaves; }
    bool operator==(const SessionHost&) const = default;
};

struct SessionJobState {
    JobNumber number{};
    std::string command;
    uint32_t ranks = 0;
    std::vector<NodeIndex> nodes;    ///< with ranks
    std::vector<std::string> hosts;  ///< their names
    uint64_t began = 0;              ///< seconds of the Unix epoch
    uint32_t client = 0;             ///< its process
    std::string output;              ///< the file that it goes to; empty: the job is not detached

    bool operator==(const SessionJobState&) const = default;
};

struct SessionState {
    std::string name;
    uint32_t pid = 0;       ///< of the process that holds it
    uint64_t began = 0;     ///< seconds of the Unix epoch
    std::string topology;   ///< of the tree that runs jobs
    std::string transport;  ///< by its name
    bool is_here = false;   ///< of this machine alone, as no hosts were named
    std::vector<SessionHost> hosts;
    std::vector<SessionJobState> jobs;
    uint32_t waiting = 0;  ///< other jobs that wait for slots

    std::string encode() const;
    static std::optional<SessionState> decode(std::string_view payload);
    bool operator==(const SessionState&) const = default;
};

/// Slots for the one job of this connection.
struct ReserveRequest {
    struct Part {
        NodeIndex node = 0;
        uint32_t ranks = 0;

        bool operator==(const Part&) const = default;
    };
    std::vector<Part> parts;
    bool share = false;  ///< beside other jobs, where slots are not free
};
/// The client takes its position in the queue of those that wait for slots, with the hosts that its
/// job may use. The session tells its state again when slots have become free there, or hosts have
/// come or failed: at once where that was since it told its state last.
struct WaitRequest {
    std::vector<NodeIndex> wished;
};
/// To all ranks of a job and to the processes that they asked for, or to those of its own ranks
/// that are named.
struct SignalRequest {
    JobNumber job{};
    SignalMessage order;
};
/// The lines of its log.
struct LogRequest {};
/// A job has no terminal: who asks runs it, and will say on this connection what it ended with.
struct DetachRequest {
    JobNumber job{};
    std::string output;  ///< the file
};
/// Reports the end of the job of this connection's DetachRequest.
struct EndedRequest {
    int exit_code = 0;
};
/// Where the output of a detached job is.
struct OutputRequest {
    JobNumber job{};
};
/// Asks for the end of a detached job; the answer comes when it has ended.
struct OutcomeRequest {
    JobNumber job{};
};

/// Asks about the ranks of a job.
struct SurveyRequest {
    JobNumber job{};
    SurveyOrder order{};  ///< the session numbers it
};

/// These hosts are to join; answered when each is up or has failed.
struct AddRequest {
    std::vector<Host> hosts;
    bool allow_missing = false;  ///< else all leave again where one does not come
};
/// These hosts are to leave; answered when they have, or with `when_idle` when they are marked.
struct RemoveRequest {
    enum class When : uint8_t {
        unused,     ///< only where no job uses one of them
        when_idle,  ///< each when no job uses it any more; new jobs do not get it
        now,        ///< jobs there lose it
    };
    std::vector<Host> hosts;
    When when = When::unused;
};

using SessionRequest = std::variant<ReserveRequest, WaitRequest, SignalRequest, LogRequest,
                                    DetachRequest, EndedRequest, OutputRequest, OutcomeRequest,
                                    SurveyRequest, AddRequest, RemoveRequest>;
std::string encode(const SessionRequest& request);
std::optional<SessionRequest> decode_session_request(std::string_view payload);

/// The answer to any request except WaitRequest.
struct SessionAnswer {
    enum class Kind : uint8_t {
        done,
        no_room,  ///< slots that were free have been taken
        no_job,   ///< no job has that number
        not_detached,
        killed,         ///< the process that ran the job, before it could tell of its end
        unknown_hosts,  ///< which `lines` names: not the session's, or its already
        in_use,         ///< `lines` says by which jobs
        hosts_failed,   ///< `lines` says why
        no_rank,        ///< the job has no such rank, as `lines` says
    };
    Kind kind = Kind::done;
    /// Lines of the log; the file of an OutputRequest; the fate of hosts.
    std::vector<std::string> lines;
    JobNumber job{};                  ///< that slots are reserved for
    int exit_code = 0;                ///< of an OutcomeRequest
    SurveyMessage survey{};           ///< of a SurveyRequest
    std::vector<NodeIndex> silent{};  ///< who has not answered it in time

    std::string encode() const;
    static std::optional<SessionAnswer> decode(std::string_view payload);
};

/// The answer where a job with so many ranks has not all of these; nothing: it has.
std::optional<SessionAnswer> refuse_ranks(const std::vector<RankRun>& asked, uint32_t ranks);

/// The programs of a job with their arguments, as a user would type them.
std::string command_text(const std::vector<Program>& programs);

}  // namespace launch
