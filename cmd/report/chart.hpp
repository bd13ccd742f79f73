// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cmd/report/report.hpp"

namespace launch {

/// The phases of a host, in the order of the legend. All but the last three are stages of its
/// start.
enum class ChartPhase : uint8_t {
    queued,
    dial,
    auth,
    login,
    client,
    hello,
    push,
    check,  ///< its relay runs, and looks whether ranks can start
    ready,  ///< it waits for others
    run,
};
inline constexpr size_t chart_phases = 10;

struct PhaseStyle {
    const char* name;
    char letter;
    const char* colour;  ///< as SVG has it; told apart also by who sees few colours
    const char* meaning;
};
const PhaseStyle& style_of(ChartPhase phase);

struct ChartSpan {
    ChartPhase phase{};
    uint64_t from_us = 0;
    uint64_t to_us = 0;
};

/// A host, or several that did the same at about the same time: then the spans are their mean.
struct ChartRow {
    std::string hosts;  ///< names, folded
    size_t count = 0;
    std::vector<ChartSpan> spans;
    std::optional<uint64_t> failed_us;
    std::string error;
    bool slow = false;  ///< its start took much longer than that of most
};

/// Hosts against time.
struct Chart {
    std::vector<ChartRow> rows;
    /// The start up to here is drawn at a scale of its own, where the job ran much longer than it
    /// took to start; nothing: one scale.
    std::optional<uint64_t> break_us;
    uint64_t total_us = 1;

    /// Where a time is, as a part of the chart's width.
    double place(uint64_t time_us) const;
};

/// Where there are more hosts than `most_rows`, those alike share a row; what counts as alike is
/// as fine as that allows, and slow rows come first.
Chart chart_of(const JobTimeline& line, size_t most_rows);

/// The phases that the chart has.
std::vector<ChartPhase> phases_in(const Chart& chart);

/// The text in at most `width` letters, which are at least three.
std::string shortened(const std::string& text, size_t width);

/// The hosts of a row and, if there are several, their number.
std::string label_of(const ChartRow& row, size_t width);

/// How a rank ended, or why it did not start.
std::string end_text(const JobTimeline::Rank& rank);

/// The host of a rank; empty: it has none.
std::string host_name_of(const JobTimeline& line, const JobTimeline::Rank& rank);

/// The lines above a chart: the job, its times, who was slow, what ranks took, which failed.
std::vector<std::string> summary_of(const RunReport& report, const Chart& chart);

std::string report_text(const RunReport& report, size_t width);
std::string report_svg(const RunReport& report);
std::string report_html(const RunReport& report);

}  // namespace launch
