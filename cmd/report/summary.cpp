// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <cstdio>
#include <ctime>
#include <map>

#include "cmd/render/text_parts.hpp"
#include "cmd/report/chart.hpp"
#include "core/base/counted.hpp"
#include "core/job/fold_ranks.hpp"

namespace launch {
namespace {

std::string date_of(uint64_t unix_us) {
    const auto seconds = static_cast<std::time_t>(unix_us / 1'000'000);
    std::tm local{};
    std::array<char, 40> text{};
    if (localtime_r(&seconds, &local) == nullptr) return "?";
    return {text.data(), std::strftime(text.data(), text.size(), "%Y-%m-%d %H:%M:%S", &local)};
}

std::string command_of(const JobTimeline& line) {
    std::string text;
    for (const Program& program : line.programs) {
        if (!text.empty()) text += " : ";
        for (size_t i = 0; i < program.argv.size(); ++i)
            text += (i > 0 ? " " : "") + program.argv[i];
    }
    constexpr size_t longest = 60;
    return text.size() > longest ? text.substr(0, longest - 3) + "..." : text;
}

std::string host_of(const JobTimeline& line, const JobTimeline::Rank& rank) {
    return rank.node > 0 && rank.node <= line.hosts.size() ? line.hosts[rank.node - 1].name : "";
}

std::string longest_stage(const ChartRow& row) {
    const ChartSpan* longest = nullptr;
    for (const ChartSpan& span : row.spans) {
        if (span.phase >= ChartPhase::ready) break;
        if (longest == nullptr || span.to_us - span.from_us > longest->to_us - longest->from_us)
            longest = &span;
    }
    if (longest == nullptr) return {};
    return std::string(style_of(longest->phase).name) + " " +
           time_text(longest->to_us - longest->from_us);
}

std::string cost_line(const JobTimeline& line) {
    uint64_t cpu = 0;
    uint64_t bytes = 0;
    const JobTimeline::Rank* largest = nullptr;
    for (const auto& rank : line.ranks) {
        if (!rank.cost) continue;
        cpu += rank.cost->cpu_us;
        bytes += rank.cost->out_bytes + rank.cost->err_bytes;
        if (largest == nullptr || rank.cost->peak_kib > largest->cost->peak_kib) largest = &rank;
    }
    if (largest == nullptr) return "no rank ran";
    return "ranks: " + time_text(cpu) + " CPU together, at most " +
           size_text(largest->cost->peak_kib * 1024) + " of memory (rank " +
           std::to_string(largest->cost->rank) + " on " + host_of(line, *largest) + "), " +
           size_text(bytes) + " of output";
}

/// Ranks that did not end well, folded by how.
std::vector<std::string> failed_lines(const JobTimeline& line) {
    std::map<std::string, std::vector<uint32_t>> by_end;
    for (size_t i = 0; i < line.ranks.size(); ++i) {
        const auto& rank = line.ranks[i];
        if (rank.ended && rank.ended->success()) continue;
        const bool said = rank.ended && !rank.detail.empty();
        const std::string how = !rank.ended ? "lost, or never started"
                                : said      ? rank.detail
                                            : to_string(*rank.ended);
        by_end[how].push_back(static_cast<uint32_t>(i));
    }
    std::vector<std::string> lines;
    for (const auto& [how, ranks] : by_end)
        lines.push_back(fold_ranks(ranks) + ": " + how);
    return lines;
}

}  // namespace

std::vector<std::string> summary_of(const RunReport& report, const Chart& chart) {
    const JobTimeline& line = report.line;
    std::vector<std::string> lines;
    lines.push_back(command_of(line) + ": " + counted(line.ranks.size(), "rank") + " on " +
                    counted(line.hosts.size(), "host") +
                    (line.session.empty() ? "" : " of session " + line.session) + ", began " +
                    date_of(line.began_unix_us));
    const uint64_t up = std::min(line.up_us.value_or(line.ending_us), line.ending_us);
    lines.push_back("start " + time_text(up) + ", run " + time_text(line.ending_us - up) +
                    ", end " + time_text(line.over_us - std::min(line.over_us, line.ending_us)) +
                    "; exit code " + std::to_string(report.exit_code));
    for (const ChartRow& row : chart.rows) {
        if (row.failed_us)
            lines.push_back("failed: " + row.hosts + ": " + row.error);
        else if (row.slow)
            lines.push_back("slow: " + row.hosts + ": most of it " + longest_stage(row));
    }
    lines.push_back(cost_line(line));
    for (auto& failed : failed_lines(line))
        lines.push_back(std::move(failed));
    return lines;
}

}  // namespace launch
