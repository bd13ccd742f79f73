// SPDX-License-Identifier: MIT
#include "cmd/report/chart.hpp"

#include <algorithm>
#include <array>
#include <map>

#include "core/hosts/hostlist.hpp"

namespace launch {
namespace {

/// The part of the chart's width for a start that would otherwise have less than a quarter.
constexpr double width_of_start = 0.6;
constexpr uint64_t narrow = 4;
constexpr uint64_t finest_steps = 256;

constexpr std::array<PhaseStyle, chart_phases> styles{{
    {"queued", 'q', "#d9d9d9", "waited for its turn"},
    {"dial", 'd', "#56b4e9", "until the address answered"},
    {"auth", 'a', "#0072b2", "keys and login"},
    {"login", 'l', "#cc79a7", "requested the command"},
    {"client", 's', "#8c6bb1", "dial, auth and login by another program, such as OpenSSH's client"},
    {"hello", 'h', "#e69f00", "the login shell, until launch answered"},
    {"push", 'p', "#a6761d", "received launch itself"},
    {"check", 'c', "#f0e442", "checked whether ranks can start"},
    {"ready", '.', "#eef3ee", "waited for others"},
    {"run", '=', "#009e73", "ranks ran"},
}};

struct Member {
    std::string name;
    std::vector<ChartSpan> spans;
    std::optional<uint64_t> failed_us;
    std::string error;
    uint64_t start_took = 0;
    bool slow = false;
};

struct RunTime {
    uint64_t from = UINT64_MAX;
    uint64_t to = 0;
};

std::vector<RunTime> run_times(const JobTimeline& line) {
    std::vector<RunTime> times(line.hosts.size() + 1);
    for (const auto& rank : line.ranks) {
        if (!rank.cost || rank.node >= times.size()) continue;
        RunTime& time = times[rank.node];
        time.from = std::min(time.from, rank.cost->start_us);
        time.to = std::max(time.to, rank.cost->end_us);
    }
    return times;
}

std::vector<ChartSpan> spans_of(const JobTimeline::Host& host, const RunTime& run) {
    std::vector<std::pair<uint64_t, ChartPhase>> begins;
    for (size_t i = 0; i < start_stages; ++i)
        if (host.began[i]) begins.emplace_back(*host.began[i], static_cast<ChartPhase>(i));
    const bool ran = run.from <= run.to;
    if (host.up_us) begins.emplace_back(*host.up_us, ChartPhase::ready);
    uint64_t end = begins.empty() ? 0 : begins.back().first;
    if (ran) {
        std::erase_if(begins, [&](const auto& begin) { return begin.first > run.from; });
        begins.emplace_back(run.from, ChartPhase::run);
        end = run.to;
    }
    std::stable_sort(begins.begin(), begins.end(),
                     [](const auto& a, const auto& b) { return a.first < b.first; });
    if (host.failed_us) end = ran ? std::max(end, *host.failed_us) : *host.failed_us;
    std::vector<ChartSpan> spans;
    for (size_t i = 0; i < begins.size(); ++i) {
        const uint64_t to = i + 1 < begins.size() ? begins[i + 1].first : end;
        if (to > begins[i].first) spans.push_back({begins[i].second, begins[i].first, to});
    }
    return spans;
}

/// From its own turn on: that others came first makes no host slow.
uint64_t start_time_of(const JobTimeline::Host& host) {
    uint64_t first = UINT64_MAX;
    for (size_t i = static_cast<size_t>(StartStage::queued) + 1; i < start_stages; ++i)
        if (host.began[i]) first = std::min(first, *host.began[i]);
    const auto end = host.up_us ? host.up_us : host.failed_us;
    return end && first < *end ? *end - first : 0;
}

/// A start that took twice as long as usual, and more than can be chance.
void mark_slow(std::vector<Member>& members) {
    constexpr uint64_t matters_us = 300'000;
    std::vector<uint64_t> times;
    for (const Member& member : members)
        if (member.start_took > 0) times.push_back(member.start_took);
    if (times.size() < 3) return;
    const auto middle = times.begin() + static_cast<std::ptrdiff_t>(times.size() / 2);
    std::nth_element(times.begin(), middle, times.end());
    const uint64_t median = *middle;
    for (Member& member : members)
        member.slow = member.start_took > 2 * median && member.start_took > median + matters_us;
}

ChartRow row_of(const std::vector<const Member*>& alike) {
    const Member& first = *alike.front();
    ChartRow row{{}, alike.size(), first.spans, first.failed_us, first.error, first.slow};
    std::vector<std::string> names;
    for (const Member* member : alike)
        names.push_back(member->name);
    row.hosts = fold_names(names);
    for (size_t i = 0; i < row.spans.size(); ++i) {
        uint64_t from = 0;
        uint64_t to = 0;
        for (const Member* member : alike) {
            from += member->spans[i].from_us;
            to += member->spans[i].to_us;
        }
        row.spans[i].from_us = from / alike.size();
        row.spans[i].to_us = to / alike.size();
    }
    return row;
}

/// Hosts whose phases ended at the same times, in steps of so many microseconds, have the same key.
std::string key_of(const Member& member, uint64_t step_us) {
    std::string key = member.slow ? "!" : "";
    for (const ChartSpan& span : member.spans)
        key += style_of(span.phase).letter + std::to_string((span.to_us + step_us / 2) / step_us);
    return key + "|" + member.error;
}

std::vector<std::vector<const Member*>> groups_of(const std::vector<Member>& members,
                                                  uint64_t step_us) {
    std::map<std::string, size_t> places;
    std::vector<std::vector<const Member*>> groups;
    for (const Member& member : members) {
        const auto [at, is_new] = places.emplace(key_of(member, step_us), groups.size());
        if (is_new) groups.emplace_back();
        groups[at->second].push_back(&member);
    }
    return groups;
}

/// Returns one row for each host or, if these are too many, for each group of hosts that are alike;
/// steps become coarser until the groups fit.
std::vector<ChartRow> folded(const std::vector<Member>& members, uint64_t total, size_t most_rows) {
    std::vector<ChartRow> rows;
    if (members.size() <= most_rows) {
        for (const Member& member : members)
            rows.push_back(row_of({&member}));
        return rows;
    }
    std::vector<std::vector<const Member*>> groups;
    for (uint64_t steps = finest_steps; steps > 0; steps /= 2) {
        groups = groups_of(members, std::max<uint64_t>(total / steps, 1));
        if (groups.size() <= most_rows) break;
    }
    for (const auto& group : groups)
        rows.push_back(row_of(group));
    std::stable_sort(rows.begin(), rows.end(), [](const auto& a, const auto& b) {
        const auto rank = [](const ChartRow& row) { return row.failed_us ? 0 : row.slow ? 1 : 2; };
        return rank(a) < rank(b);
    });
    return rows;
}

}  // namespace

const PhaseStyle& style_of(ChartPhase phase) {
    return styles.at(static_cast<size_t>(phase));
}

double Chart::place(uint64_t time_us) const {
    const auto time = static_cast<double>(std::min(time_us, total_us));
    const auto all = static_cast<double>(total_us);
    if (!break_us) return time / all;
    const auto start = static_cast<double>(*break_us);
    if (time <= start) return width_of_start * time / start;
    return width_of_start + (1 - width_of_start) * (time - start) / (all - start);
}

Chart chart_of(const JobTimeline& line, size_t most_rows) {
    const auto runs = run_times(line);
    std::vector<Member> members;
    uint64_t last_start = 0;
    for (size_t i = 0; i < line.hosts.size(); ++i) {
        const auto& host = line.hosts[i];
        members.push_back({host.name, spans_of(host, runs[i + 1]), host.failed_us, host.error,
                           start_time_of(host), false});
        if (runs[i + 1].from <= runs[i + 1].to) last_start = std::max(last_start, runs[i + 1].from);
    }
    mark_slow(members);
    Chart chart;
    chart.total_us = std::max<uint64_t>(line.over_us, 1);
    const bool starts_seen = std::any_of(line.hosts.begin(), line.hosts.end(),
                                         [](const auto& host) { return host.started_by; });
    const uint64_t start = std::max(last_start, line.up_us.value_or(0));
    if (starts_seen && start > 0 && start < chart.total_us / narrow)
        chart.break_us = start + start / 20;
    chart.rows = folded(members, chart.break_us.value_or(chart.total_us), most_rows);
    return chart;
}

std::vector<ChartPhase> phases_in(const Chart& chart) {
    std::array<bool, chart_phases> seen{};
    for (const ChartRow& row : chart.rows)
        for (const ChartSpan& span : row.spans)
            seen[static_cast<size_t>(span.phase)] = true;
    std::vector<ChartPhase> phases;
    for (size_t i = 0; i < chart_phases; ++i)
        if (seen[i]) phases.push_back(static_cast<ChartPhase>(i));
    return phases;
}

std::string shortened(const std::string& text, size_t width) {
    return text.size() > width ? text.substr(0, width - 3) + "..." : text;
}

std::string label_of(const ChartRow& row, size_t width) {
    const std::string count = row.count > 1 ? " (" + std::to_string(row.count) + ")" : "";
    return shortened(row.hosts, width - count.size()) + count;
}

std::string end_text(const JobTimeline::Rank& rank) {
    if (!rank.ended) return "lost, or never started";
    return rank.detail.empty() ? to_string(*rank.ended) : rank.detail;
}

std::string host_name_of(const JobTimeline& line, const JobTimeline::Rank& rank) {
    return rank.node > 0 && rank.node <= line.hosts.size() ? line.hosts[rank.node - 1].name : "";
}

}  // namespace launch
