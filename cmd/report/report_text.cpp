// SPDX-License-Identifier: MIT
#include <algorithm>

#include "cmd/render/text_parts.hpp"
#include "cmd/report/chart.hpp"
#include "core/base/terminal_text.hpp"

namespace launch {
namespace {

constexpr size_t most_rows_written = 40;
constexpr size_t widest_names = 32;
constexpr size_t least_chart = 20;

std::string cut(const std::string& text, size_t width) {
    return text.size() > width ? text.substr(0, width - 3) + "..." : text;
}

std::string label_of(const ChartRow& row) {
    const std::string count = row.count > 1 ? " (" + std::to_string(row.count) + ")" : "";
    return cut(row.hosts, widest_names - count.size()) + count;
}

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
    std::array<bool, chart_phases> seen{};
    bool failed = false;
    for (const ChartRow& row : chart.rows) {
        failed = failed || row.failed_us;
        for (const ChartSpan& span : row.spans)
            seen[static_cast<size_t>(span.phase)] = true;
    }
    std::string legend;
    for (size_t i = 0; i < chart_phases; ++i) {
        if (!seen[i]) continue;
        const PhaseStyle& style = style_of(static_cast<ChartPhase>(i));
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

}  // namespace

std::string report_text(const RunReport& report, size_t width) {
    const Chart chart = chart_of(report.line, most_rows_written);
    std::string text;
    for (const auto& line : summary_of(report, chart))
        text += line + "\n";
    size_t names = 0;
    for (const ChartRow& row : chart.rows)
        names = std::max(names, label_of(row).size() + (row.slow ? 1 : 0));
    const size_t indent = names + 2;
    const size_t room = std::max(width, indent + least_chart) - indent;
    text += "\n" + axis_of(chart, indent, room) + "\n";
    for (const ChartRow& row : chart.rows) {
        std::string line = label_of(row) + (row.slow ? "!" : "");
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

}  // namespace launch
