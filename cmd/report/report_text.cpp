// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <cstdio>
#include <ctime>
#include <map>

#include "cmd/render/text_parts.hpp"
#include "cmd/report/chart.hpp"
#include "core/base/counted.hpp"
#include "core/base/terminal_text.hpp"
#include "core/job/fold_ranks.hpp"

namespace launch {
namespace {

constexpr size_t most_rows_written = 40;
constexpr size_t widest_names = 32;
constexpr size_t least_chart = 20;

std::string drawn(const Chart& chart, const ChartRow& row, size_t width) {
    std::string bar(width, ' ');
    const auto column = [&](uint64_t time) {
        return std::min(width - 1,
                        static_cast<size_t>(chart.place(time) * static_cast<double>(width)));
    };
    for (const ChartSpan& span : row.spans)
        for (size_t i = column(span.from_us); i <= column(span.to_us); ++i)
            bar[i] = style_of(span.phase).letter;
    if (row.failed_us) bar[column(*row.failed_us)] = 'X';
    return bar.substr(0, bar.find_last_not_of(' ') + 1);
}

/// Explains the letters of the phases that the chart has.
std::string legend_of(const Chart& chart) {
    const bool failed = std::any_of(chart.rows.begin(), chart.rows.end(),
                                    [](const ChartRow& row) { return row.failed_us; });
    std::string legend;
    for (const ChartPhase phase : phases_in(chart)) {
        const PhaseStyle& style = style_of(phase);
        legend += std::string(1, style.letter) + " " + style.name + ": " + style.meaning + "\n";
    }
    return legend + (failed ? "X failed, or lost\n" : "");
}

std::string axis_of(const Chart& chart, size_t indent, size_t width) {
    std::string axis(indent, ' ');
    std::string times(width, ' ');
    const auto put = [&](uint64_t time, bool ends) {
        const std::string text = time_text(time);
        auto at = static_cast<size_t>(chart.place(time) * static_cast<double>(width));
        if (ends || at + text.size() > width) at = width - std::min(width, text.size());
        times.replace(at, text.size(), text);
    };
    put(0, false);
    if (chart.break_us) put(*chart.break_us, false);
    put(chart.total_us, true);
    axis += times;
    if (chart.break_us) axis += "  (another scale from there on)";
    return axis;
}

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
    return shortened(text, 60);
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
           std::to_string(largest->cost->rank) + " on " + host_name_of(line, *largest) + "), " +
           size_text(bytes) + " of output";
}

/// Ranks that did not end well, folded by how.
std::vector<std::string> failed_lines(const JobTimeline& line) {
    std::map<std::string, std::vector<uint32_t>> by_end;
    for (size_t i = 0; i < line.ranks.size(); ++i) {
        const auto& rank = line.ranks[i];
        if (rank.ended && rank.ended->success()) continue;
        by_end[end_text(rank)].push_back(static_cast<uint32_t>(i));
    }
    std::vector<std::string> lines;
    for (const auto& [how, ranks] : by_end)
        lines.push_back(fold_ranks(ranks) + ": " + how);
    return lines;
}

}  // namespace

std::string report_text(const RunReport& report, size_t width) {
    const Chart chart = chart_of(report.line, most_rows_written);
    std::string text;
    for (const auto& line : summary_of(report, chart))
        text += line + "\n";
    size_t names = 0;
    for (const ChartRow& row : chart.rows)
        names = std::max(names, label_of(row, widest_names).size() + (row.slow ? 1 : 0));
    const size_t indent = names + 2;
    const size_t room = std::max(width, indent + least_chart) - indent;
    text += "\n" + axis_of(chart, indent, room) + "\n";
    for (const ChartRow& row : chart.rows) {
        std::string line = label_of(row, widest_names) + (row.slow ? "!" : "");
        line.resize(indent, ' ');
        text += line + drawn(chart, row, room) + "\n";
    }
    const std::string all = text + "\n" + legend_of(chart);
    std::string safe;
    for (size_t at = 0; at < all.size();) {
        const size_t end = all.find('\n', at);
        safe += terminal_text(all.substr(at, end - at)) + "\n";
        at = end + 1;
    }
    return safe;
}

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
