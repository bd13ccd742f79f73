// SPDX-License-Identifier: MIT
#include "core/head/report.hpp"

#include <algorithm>
#include <cerrno>
#include <map>

#include "core/base/counted.hpp"
#include "core/base/seconds.hpp"
#include "core/base/shell_word.hpp"
#include "core/hosts/hostlist.hpp"
#include "core/job/program_index.hpp"

namespace launch {
namespace {

constexpr size_t longest_fold = 60;

/// Groups keep the order in which their first member came.
template <class Key, class Value>
std::vector<std::pair<Key, std::vector<Value>>> group(std::vector<std::pair<Key, Value>> items) {
    std::vector<std::pair<Key, std::vector<Value>>> groups;
    std::map<Key, size_t> places;
    for (auto& [key, value] : items) {
        const auto [place, fresh] = places.emplace(key, groups.size());
        if (fresh) groups.push_back({key, {}});
        groups[place->second].second.push_back(std::move(value));
    }
    return groups;
}

/// A host that failed, and the host from which it was to be started, if not from here.
struct FailedStart {
    std::string host;
    std::string from;
};

/// "n[4-9], from n[1-3]"; where this machine has met the same, from where else does not matter.
std::string who_from_where(const std::vector<FailedStart>& starts) {
    std::vector<std::string> hosts;
    std::vector<std::string> from;
    bool from_here = false;
    for (const auto& start : starts) {
        hosts.push_back(start.host);
        from.push_back(start.from);
        from_here = from_here || start.from.empty();
    }
    const std::string text = fold_names(std::move(hosts));
    if (from_here || text.empty()) return text;
    const std::string others = fold_names(std::move(from));
    return text + ", from " + (others.size() <= longest_fold ? others : "several hosts");
}

/// "ranks 1,5 on n[1-2]": some of the ranks; `remark` follows their numbers.
std::string who_and_where(uint32_t space, const std::vector<JobRecord::FailedRank>& ranks,
                          const std::vector<size_t>& members, const std::string& remark = {}) {
    std::vector<uint32_t> numbers;
    std::vector<std::string> hosts;
    for (const size_t i : members) {
        numbers.push_back(ranks[i].rank);
        hosts.push_back(ranks[i].host);
    }
    return fold_ranks(numbers, space) + remark + " on " + fold_names(hosts);
}

const Program* program_of(const JobSpec& spec, uint32_t rank) {
    const size_t index = program_index(spec.programs, rank);
    return index < spec.programs.size() ? &spec.programs[index] : nullptr;
}

/// The program that could not be executed, or the folder that could not be entered.
std::string subject(const JobSpec& spec, uint32_t rank, ExitStatus::Stage stage) {
    const Program* program = program_of(spec, rank);
    if (program == nullptr) return {};
    if (stage != ExitStatus::Stage::chdir) return program->argv.front();
    return program->wdir.empty() ? spec.wdir : program->wdir;
}

/// How to give a line of the shell, as ssh takes it, to a shell; nothing for another word.
std::string shell_hint(const std::string& name, const ExitStatus& status) {
    if (status.stage != ExitStatus::Stage::exec || !is_shell_line(name)) return {};
    if (status.value != ENOENT && status.value != ENAMETOOLONG) return {};
    return " (shell syntax needs a shell: sh -c " + shell_word(name) + ")";
}

/// Where a program that was not found was looked for, or a program or a folder that may be only
/// here.
std::string not_there_hint(const JobRecord& record, const JobSpec& spec, uint32_t rank,
                           const ExitStatus& status) {
    const Program* program = program_of(spec, rank);
    const bool here = record.here_only() || spec.transport.name == "local";
    if (program == nullptr) return {};
    const std::string& name = program->argv.front();
    if (auto hint = shell_hint(name, status); !hint.empty()) return hint;
    if (status.value != ENOENT) return {};
    const bool is_program = status.stage == ExitStatus::Stage::exec;
    if (here && is_program && name.find('/') == name.npos)
        return " (not found in PATH; start a program of this folder as ./" + name + ")";
    if (here) return {};
    if (status.stage == ExitStatus::Stage::chdir && program->wdir.empty())
        return " (other hosts have this folder, so ranks do not start in their home folders; name "
               "another with -wdir)";
    if (!is_program || program->staged) return {};
    return " (is it on that host? --stage-program copies it there)";
}

std::string status_text(const JobRecord& record, const JobSpec& spec, uint32_t rank,
                        const ExitStatus& status, const std::string& detail) {
    if (status.kind == ExitStatus::Kind::not_started)
        return subject(spec, rank, status.stage) + ": " +
               (detail.empty() ? to_string(status) : not_started_text(status.stage, detail)) +
               not_there_hint(record, spec, rank, status);
    if (status.kind == ExitStatus::Kind::signalled) return "ended by " + to_string(status);
    return "ended with " + to_string(status);
}

/// " on n[2-4]"; nothing where all are on the host of the rank that failed first.
std::string elsewhere_text(const JobRecord& record, const std::vector<uint32_t>& ranks) {
    std::vector<std::string> hosts;
    hosts.reserve(ranks.size());
    for (const uint32_t rank : ranks)
        hosts.push_back(record.host_of_rank(rank));
    const std::string& first = record.failed_ranks().front().host;
    const auto there = [&](const std::string& host) { return host == first; };
    if (std::all_of(hosts.begin(), hosts.end(), there)) return {};
    const std::string text = fold_names(hosts);
    return text.size() <= longest_fold ? " on " + text : " on several hosts";
}

/// The ranks that failed, and those that could not be started a moment later, for any reason.
std::vector<JobRecord::FailedRank> failed_or_not_started(const JobRecord& record) {
    auto failed = record.failed_ranks();
    if (failed.empty()) return failed;
    for (const auto& exit : record.failed_later())
        if (exit.status.kind == ExitStatus::Kind::not_started)
            failed.push_back({exit.rank, record.host_of_rank(exit.rank), exit.status, exit.detail});
    return failed;
}

/// "; ranks 1-3 too; rank 5 ended with exit code 1": the ranks that failed at the same moment as
/// the first one, whose text `first` has been printed.
std::string failed_later_text(const JobRecord& record, const JobSpec& spec,
                              const std::string& first) {
    std::vector<std::pair<std::string, uint32_t>> items;
    for (const auto& exit : record.failed_later()) {
        if (exit.status.kind == ExitStatus::Kind::not_started) continue;  // told with the first
        items.emplace_back(status_text(record, spec, exit.rank, exit.status, exit.detail),
                           exit.rank);
    }
    std::string text;
    for (const auto& [how, ranks] : group(std::move(items))) {
        text.append("; ")
            .append(short_fold(ranks, record.space()))
            .append(elsewhere_text(record, ranks));
        text.append(how == first ? " too" : ": " + how);
    }
    return text;
}

/// A user who insists leaves ranks no time.
std::string killed_after(milliseconds grace) {
    return grace.count() == 0 ? "killed" : "killed after --kill-grace " + in_seconds(grace);
}

/// "; 1 other rank was ended", "; 3 other ranks were ended, rank 5 killed after --kill-grace 5 s".
std::string others_text(const JobRecord& record) {
    const size_t others = record.ended_by_us();
    if (others == 0) return {};
    const auto& killed = record.killed_by_us();
    const std::string text =
        "; " + std::to_string(others) + (others == 1 ? " other rank was " : " other ranks were ");
    if (killed.size() == others) return text + killed_after(record.grace());
    if (killed.empty()) return text + "ended";
    return text + "ended, " + short_fold(killed, record.space()) + " " +
           killed_after(record.grace());
}

}  // namespace

std::string killed_ranks_line(const JobRecord& record) {
    const auto& killed = record.killed_by_us();
    if (killed.empty()) return {};
    std::vector<std::string> hosts;
    hosts.reserve(killed.size());
    for (const uint32_t rank : killed)
        hosts.push_back(record.host_of_rank(rank));
    return fold_ranks(killed, record.space()) + " on " + fold_names(hosts) + ": " +
           killed_after(record.grace());
}

std::string host_of(const NoticeMessage& notice, const Plan& plan) {
    return notice.host.empty() ? plan.host_name(notice.node) : notice.host;
}

Error fault_error(const FaultMessage& fault, const JobRecord& record) {
    Error error;
    error.kind = ErrorKind::protocol;
    const std::string host = record.host_of_rank(fault.rank);
    error.operation = "rank " + rank_name(fault.rank, record.space());
    if (!host.empty()) error.operation += " on " + host;
    error.hint = fault.hint;
    const std::string detail = fault.text.empty() ? "" : ": " + fault.text;
    switch (fault.kind) {
        case FaultMessage::Kind::aborted:
            error.cause = "aborted the job with exit code " + std::to_string(fault.value) + detail;
            break;
        case FaultMessage::Kind::protocol: error.cause = fault.text; break;
        case FaultMessage::Kind::unfinished:
            error.cause = "exited without finalize after it had called init" + detail;
            if (error.hint.empty())
                error.hint = "does every path of the program reach MPI_Finalize?";
            break;
        case FaultMessage::Kind::absent:
            error.cause = "exited while other ranks wait for it in a fence";
            if (fault.value > 1)
                error.cause += " (so did " +
                               counted(static_cast<uint64_t>(fault.value) - 1, "other rank") + ")";
            error.hint = "every rank must take part, for example call MPI_Init";
            break;
        case FaultMessage::Kind::no_file:
            error.kind = ErrorKind::output;
            // Ranks of a host may share a file, and what they write is written together.
            error.operation.clear();
            error.host = host;
            error.cause = fault.text;
            break;
        case FaultMessage::Kind::no_service:
            error.kind = ErrorKind::internal;
            error.cause = fault.text;
            break;
    }
    return error;
}

std::vector<std::string> host_failure_lines(const std::vector<FailureMessage>& failures) {
    std::vector<std::pair<std::string, FailedStart>> items;
    for (const auto& failure : failures) {
        Error error = failure.error;
        FailedStart start{std::exchange(error.host, {}), std::exchange(error.from, {})};
        const NodeIndex below = failure.count_below();
        if (below > 0)
            error.cause += "; " + std::to_string(below) + (below == 1 ? " host" : " hosts") +
                           " below it in the tree " + (below == 1 ? "is" : "are") + " lost, too";
        items.emplace_back(describe(error), std::move(start));
    }
    std::vector<std::string> lines;
    for (const auto& [text, starts] : group(std::move(items))) {
        const std::string where = who_from_where(starts);
        lines.push_back(where.empty() ? text : where + ": " + text);
    }
    return lines;
}

std::vector<std::string> stuck_rank_lines(const JobRecord& record) {
    std::vector<std::pair<std::string, size_t>> items;
    const auto& stuck = record.stuck_ranks();
    for (size_t i = 0; i < stuck.size(); ++i)
        items.emplace_back(stuck[i].detail, i);
    std::vector<std::string> lines;
    for (const auto& [text, members] : group(std::move(items))) {
        const bool one = members.size() == 1;
        std::string pid;
        if (one) pid = " (pid " + std::to_string(stuck[members.front()].status.value) + ")";
        std::string line = who_and_where(record.space(), stuck, members, pid);
        line.append(one ? " does" : " do").append(" not end after SIGKILL: ").append(text);
        lines.push_back(std::move(line));
    }
    return lines;
}

std::vector<std::string> rank_failure_lines(const JobRecord& record, const JobSpec& spec) {
    std::vector<std::string> lines;
    const bool one_failed = record.failed_ranks().size() == 1;
    const auto failed = failed_or_not_started(record);
    if (failed.empty()) return lines;
    std::vector<std::pair<std::string, size_t>> items;
    for (size_t i = 0; i < failed.size(); ++i)
        items.emplace_back(
            status_text(record, spec, failed[i].rank, failed[i].status, failed[i].detail), i);
    const auto groups = group(std::move(items));
    for (const auto& [text, members] : groups)
        lines.push_back(who_and_where(record.space(), failed, members) + ": " + text);
    if (groups.size() == 1 || one_failed)
        lines.back() += failed_later_text(record, spec, groups.front().first);
    lines.back() += others_text(record);
    return lines;
}

}  // namespace launch
