// SPDX-License-Identifier: MIT
#include "cmd/render/svg.hpp"
#include "cmd/render/text_parts.hpp"
#include "cmd/report/chart.hpp"

namespace launch {
namespace {

std::string cell(const std::string& text) {
    return "<td>" + xml_text(text) + "</td>";
}

std::string ended_text(const JobTimeline::Rank& rank) {
    if (!rank.ended) return "lost, or never started";
    return rank.detail.empty() ? to_string(*rank.ended) : rank.detail;
}

std::string row_of(const JobTimeline& line, size_t number) {
    const auto& rank = line.ranks[number];
    const bool placed = rank.node > 0 && rank.node <= line.hosts.size();
    std::string row = "<tr>" + cell(std::to_string(number)) +
                      cell(placed ? line.hosts[rank.node - 1].name : "") + cell(ended_text(rank));
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
