// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>

#include "cmd/render/svg.hpp"
#include "cmd/render/text_parts.hpp"
#include "cmd/report/chart.hpp"

namespace launch {
namespace {

constexpr size_t most_rows_drawn = 48;
constexpr double image_width = 1100;
constexpr double image_margin = 16;
constexpr double names_width = 230;
constexpr double chart_width = image_width - names_width - 2 * image_margin;
constexpr double chart_row_height = 20;
constexpr double bar_height = 14;
constexpr double line_height = 17;
constexpr double letter_width = 6.7;

double x_of(const Chart& chart, uint64_t time) {
    return image_margin + names_width + chart.place(time) * chart_width;
}

/// Times that a reader takes in at once: 1, 2 or 5 times a power of ten.
uint64_t tick_step(uint64_t span, uint64_t ticks) {
    uint64_t step = 1000;
    for (size_t i = 0; span / step > ticks; ++i)
        step = i % 3 == 1 ? step / 2 * 5 : step * 2;
    return step;
}

std::string tick_text(uint64_t time, uint64_t step) {
    constexpr uint64_t millisecond = 1000;
    constexpr uint64_t told_apart = 10 * millisecond;  // by time_text()
    return step < told_apart ? std::to_string(time / millisecond) + " ms" : time_text(time);
}

void draw_ticks(Svg& svg, const Chart& chart, uint64_t from, uint64_t to, uint64_t count,
                double top, double bottom) {
    const uint64_t step = tick_step(to - from, count);
    for (uint64_t time = (from + step - 1) / step * step; time <= to; time += step) {
        const double x = x_of(chart, time);
        svg.line(x, top, x, bottom, "stroke=\"#dddddd\"");
        svg.text(x, top - 5, tick_text(time, step), "middle", "fill=\"#555555\" font-size=\"11\"");
    }
}

void draw_axis(Svg& svg, const Chart& chart, double top, double bottom) {
    const uint64_t first = chart.break_us.value_or(chart.total_us);
    draw_ticks(svg, chart, 0, first, chart.break_us ? 6 : 10, top, bottom);
    if (!chart.break_us) return;
    const double x = x_of(chart, first);
    const uint64_t gap = (chart.total_us - first) / 8;
    draw_ticks(svg, chart, first + gap, chart.total_us, 3, top, bottom);
    svg.line(x, top - 18, x, bottom, "stroke=\"#555555\" stroke-dasharray=\"4 3\"");
    svg.text(x + 4, top - 18, "another scale from here", "start",
             "fill=\"#555555\" font-size=\"11\"");
}

void draw_row(Svg& svg, const Chart& chart, const ChartRow& row, double y) {
    const bool stands_out = row.slow || row.failed_us;
    svg.text(image_margin + names_width - 8, y + bar_height - 3,
             label_of(row, static_cast<size_t>(names_width / letter_width)), "end",
             stands_out ? "fill=\"#b00020\" font-weight=\"bold\"" : "");
    for (const ChartSpan& span : row.spans) {
        const PhaseStyle& style = style_of(span.phase);
        const double x = x_of(chart, span.from_us);
        const double wide = std::max(x_of(chart, span.to_us) - x, 0.5);
        svg.box(x, y, wide, bar_height, "fill=\"" + std::string(style.colour) + "\"",
                row.hosts + ": " + style.name + " " + time_text(span.to_us - span.from_us) +
                    ", from " + time_text(span.from_us) + " to " + time_text(span.to_us));
    }
    if (!row.failed_us) return;
    const double x = x_of(chart, *row.failed_us);
    svg.box(x - 2, y - 2, 5, bar_height + 4, "fill=\"#b00020\"", row.hosts + ": " + row.error);
}

double legend_height(const std::vector<ChartPhase>& phases) {
    const size_t lines = (phases.size() + 1) / 2;
    return static_cast<double>(lines) * line_height + image_margin;
}

void draw_legend(Svg& svg, const std::vector<ChartPhase>& phases, double y) {
    for (size_t i = 0; i < phases.size(); ++i) {
        const PhaseStyle& style = style_of(phases[i]);
        const size_t column = i % 2, line = i / 2;
        const double x = image_margin + static_cast<double>(column) * (image_width / 2);
        const double top = y + static_cast<double>(line) * line_height;
        svg.box(x, top, 12, 12, "fill=\"" + std::string(style.colour) + "\" stroke=\"#999999\"");
        svg.text(x + 18, top + 10, std::string(style.name) + ": " + style.meaning);
    }
}

std::string cell(const std::string& text) {
    return "<td>" + xml_text(text) + "</td>";
}

std::string row_of(const JobTimeline& line, size_t number) {
    const auto& rank = line.ranks[number];
    std::string row = "<tr>" + cell(std::to_string(number)) + cell(host_name_of(line, rank)) +
                      cell(end_text(rank));
    if (rank.cost)
        row += cell(std::to_string(rank.cost->pid)) + cell(time_text(rank.cost->start_us)) +
               cell(time_text(rank.cost->end_us)) + cell(time_text(rank.cost->cpu_us)) +
               cell(std::to_string(rank.cost->peak_kib)) +
               cell(std::to_string(rank.cost->out_bytes)) +
               cell(std::to_string(rank.cost->err_bytes));
    return row + "</tr>\n";
}

constexpr const char* head =
    "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>launch "
    "report</title>\n"
    "<style>body{font-family:sans-serif;margin:1em}svg{max-width:100%;height:auto}"
    "table{border-collapse:collapse;font-size:small}td,th{padding:2px 10px;text-align:right;"
    "border-bottom:1px solid #ddd}</style></head>\n<body>\n";

}  // namespace

std::string report_svg(const RunReport& report) {
    const Chart chart = chart_of(report.line, most_rows_drawn);
    auto lines = summary_of(report, chart);
    constexpr size_t most_lines = 8;
    if (lines.size() > most_lines) {
        lines.resize(most_lines - 1);
        lines.emplace_back("... (launch report --format text has all)");
    }
    const auto phases = phases_in(chart);
    const double top = image_margin + static_cast<double>(lines.size()) * line_height + 48;
    const double bottom = top + static_cast<double>(chart.rows.size()) * chart_row_height + 4;
    Svg svg(image_width, bottom + image_margin + legend_height(phases), lines.front());
    constexpr auto room = static_cast<size_t>((image_width - 2 * image_margin) / letter_width);
    for (size_t i = 0; i < lines.size(); ++i)
        svg.text(image_margin, image_margin + static_cast<double>(i + 1) * line_height - 4,
                 shortened(lines[i], room), "start", i == 0 ? "font-weight=\"bold\"" : "");
    draw_axis(svg, chart, top - 4, bottom);
    for (size_t i = 0; i < chart.rows.size(); ++i)
        draw_row(svg, chart, chart.rows[i], top + static_cast<double>(i) * chart_row_height);
    draw_legend(svg, phases, bottom + image_margin);
    return svg.take();
}

std::string report_html(const RunReport& report) {
    const JobTimeline& line = report.line;
    std::string html = head + report_svg(report);
    html +=
        "<h2>Ranks</h2>\n<table>\n<tr><th>rank</th><th>host</th><th>end</th><th>pid</th>"
        "<th>started</th><th>ended</th><th>CPU</th><th>peak KiB</th><th>stdout bytes</th>"
        "<th>stderr bytes</th></tr>\n";
    for (size_t i = 0; i < line.ranks.size(); ++i)
        html += row_of(line, i);
    return html + "</table>\n</body></html>\n";
}

}  // namespace launch
