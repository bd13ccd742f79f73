// SPDX-License-Identifier: MIT
#include "core/head/waiting.hpp"

#include "core/base/counted.hpp"
#include "core/base/seconds.hpp"
#include "core/hosts/hostlist.hpp"
#include "core/job/fold_ranks.hpp"

namespace launch {
namespace {

/// "ranks 2,4,5 on n[2-3]"
std::string running_ranks(const JobRecord& record) {
    return short_fold(record.running_ranks()) + " on " +
           short_names(record.hosts_with_running_ranks());
}

}  // namespace

std::string progress_line(const JobRecord& record, const HostStarts& starts, bool ending,
                          std::optional<TimeTaken> start) {
    if (ending && record.running() == 0) return {};
    if (ending) return "ending: waiting for " + counted(record.running(), "rank");
    const std::string missing = waiting_hosts(record, starts);
    if (!missing.empty()) return starting_line({record.hosts_up(), record.hosts(), missing}, start);
    const auto unstaged = record.unstaged_hosts();
    if (unstaged.empty()) return {};
    return "staging: " + std::to_string(record.hosts_up() - unstaged.size()) + " of " +
           std::to_string(record.hosts()) + " hosts have the files, waiting for " +
           short_names(unstaged);
}

std::string running_line(const JobRecord& record, TimeTaken time) {
    if (record.running() == 0) return {};
    return "running: " + std::to_string(record.running()) + " of " +
           counted(record.ranks(), "rank") + ", " + text_of(time);
}

std::string status_line(const JobRecord& record, const std::string& progress, TimeTaken time) {
    if (!record.started()) return progress.empty() ? "no rank runs yet" : progress;
    if (record.running_ranks().empty()) return "no rank runs any more";
    return (progress.empty() ? running_line(record, time) : progress) + ": " +
           running_ranks(record);
}

std::string interrupted_line(const JobRecord& record) {
    const auto ranks = record.running_ranks();
    if (ranks.empty()) return {};
    const bool one = ranks.size() == 1;
    return running_ranks(record) + (one ? " still runs" : " still run") +
           " after ^C; a second ^C kills " + (one ? "it" : "them");
}

Error timeout_error(const JobRecord& record, const HostStarts& starts, const std::string& name,
                    milliseconds limit) {
    Error error;
    error.kind = ErrorKind::timed_out;
    error.operation = "run the job";
    const auto running = record.running();
    error.cause = "not done within " + name + " " + in_seconds(limit);
    if (!record.started()) {
        const std::string waiting = progress_line(record, starts, false);
        if (!waiting.empty()) error.cause += "; " + waiting;
        return error;
    }
    if (running == 0) {
        error.cause += "; all ranks had ended";
        return error;
    }
    error.cause += "; " + counted(running, "rank") + (running == 1 ? " was" : " were") +
                   " still running on " + fold_names(record.hosts_with_running_ranks());
    return error;
}

Error hang_error(const HangWatch::Verdict& verdict, milliseconds limit) {
    Error error;
    error.kind = ErrorKind::timed_out;
    error.cause = "the job hangs: no output and no progress of " + counted(verdict.ranks, "rank") +
                  " within --hang " + in_seconds(limit);
    if (verdict.polling > 0)
        error.cause += "; " + std::to_string(verdict.polling) + " only " +
                       (verdict.polling == 1 ? "polls" : "poll") + " in MPI";
    if (!verdict.stopped.empty())
        error.cause += "; " + short_fold(verdict.stopped) +
                       (verdict.stopped.size() == 1 ? " is" : " are") + " stopped by a signal";
    error.hint = "if they wait for something slow, raise --hang";
    return error;
}

FailureMessage late_host(const HostRecord& hosts, NodeIndex node, milliseconds limit) {
    Error error;
    error.kind = ErrorKind::unreachable;
    error.operation = "start";
    error.host = hosts.name_of(node);
    error.cause = "not started within " + in_seconds(limit);
    error.hint = "if the start takes longer, raise --start-limit";
    return {node, false, {}, std::move(error)};
}

}  // namespace launch
