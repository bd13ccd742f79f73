#include "core/head/waiting.hpp"

#include "core/base/counted.hpp"
#include "core/base/seconds.hpp"
#include "core/hosts/hostlist.hpp"
#include "core/job/fold_ranks.hpp"

namespace launch {
namespace {

/// A clock that ticks: "59 s", "2 min 3 s", "1 h 0 min".
std::string in_whole_seconds(milliseconds time) {
    const auto seconds = std::chrono::floor<std::chrono::seconds>(time).count();
    if (seconds < 60) return std::to_string(seconds) + " s";
    if (seconds < 3600)
        return std::to_string(seconds / 60) + " min " + std::to_string(seconds % 60) + " s";
    return std::to_string(seconds / 3600) + " h " + std::to_string(seconds / 60 % 60) + " min";
}

}  // namespace

std::string progress_line(const JobRecord& record, const HostStarts& starts, bool ending) {
    if (ending && record.running() == 0) return {};
    if (ending) return "ending: waiting for " + counted(record.running(), "rank");
    const std::string missing = waiting_hosts(record, starts);
    if (!missing.empty()) {
        return "starting: " + std::to_string(record.hosts_up()) + " of " +
               std::to_string(record.hosts()) + " hosts up, waiting for " + missing;
    }
    const auto unstaged = record.unstaged_hosts();
    if (unstaged.empty()) return {};
    return "staging: " + std::to_string(record.hosts_up() - unstaged.size()) + " of " +
           std::to_string(record.hosts()) + " hosts have the files, waiting for " +
           short_names(unstaged);
}

std::string running_line(const JobRecord& record, JobTime time) {
    if (record.running() == 0) return {};
    std::string line = "running: " + std::to_string(record.running()) + " of " +
                       counted(record.ranks(), "rank") + ", " + in_whole_seconds(time.passed);
    if (time.limit.count() > 0) line += " of " + in_whole_seconds(time.limit);
    return line;
}

std::string interrupted_line(const JobRecord& record) {
    const auto ranks = record.running_ranks();
    if (ranks.empty()) return {};
    const bool one = ranks.size() == 1;
    return short_fold(ranks) + " on " + short_names(record.hosts_with_running_ranks()) +
           (one ? " still runs" : " still run") + " after ^C; a second ^C kills " +
           (one ? "it" : "them");
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
    error.cause +=
        "; " + counted(running, "rank") + (running == 1 ? " was" : " were") + " still running";
    if (running > 0) error.cause += " on " + fold_names(record.hosts_with_running_ranks());
    return error;
}

std::vector<FailureMessage> late_hosts(const HostRecord& hosts, milliseconds limit) {
    std::vector<FailureMessage> failures;
    for (const NodeIndex node : hosts.unknown()) {
        Error error;
        error.kind = ErrorKind::unreachable;
        error.operation = "start";
        error.host = hosts.name_of(node);
        error.cause = "not started within " + in_seconds(limit);
        error.hint = "if it takes so long: --start-limit";
        failures.push_back({node, false, {}, std::move(error)});
    }
    return failures;
}

}  // namespace launch
