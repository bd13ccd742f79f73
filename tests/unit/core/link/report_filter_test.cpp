// SPDX-License-Identifier: MIT
#include "core/link/report_filter.hpp"

#include <gtest/gtest.h>

namespace launch {
namespace {

using Verdict = ReportFilter::Verdict;

TEST(ReportFilter, takes_each_report_once_and_in_order) {
    struct Row {
        NodeIndex origin;
        ReportClass kind;
        uint64_t number;
        Verdict verdict;
    };
    const Row rows[] = {
        {4, ReportClass::control, 1, Verdict::unknown},
        {8, ReportClass::control, 1, Verdict::unknown},
        {5, ReportClass::control, 2, Verdict::early},
        {5, ReportClass::control, 1, Verdict::fresh},
        {5, ReportClass::control, 1, Verdict::known},
        {5, ReportClass::control, 0, Verdict::known},
        {5, ReportClass::output, 1, Verdict::fresh},
        {5, ReportClass::control, 2, Verdict::fresh},
        {5, ReportClass::control, 1, Verdict::known},
        {7, ReportClass::output, 1, Verdict::fresh},
        {5, ReportClass::output, 3, Verdict::early},
        {5, ReportClass::output, 2, Verdict::fresh},
        {7, ReportClass::output, 2, Verdict::fresh},
        {5, ReportClass::output, 3, Verdict::fresh},
    };
    ReportFilter count(5, 3);
    size_t at = 0;
    for (const Row& row : rows)
        EXPECT_EQ(count.take(row.kind, {row.origin, row.number}), row.verdict) << "row " << at++;
    EXPECT_EQ(count.had(5, ReportClass::control), 2U);
    EXPECT_EQ(count.had(5, ReportClass::output), 3U);
    EXPECT_EQ(count.had(6, ReportClass::output), 0U);
    EXPECT_EQ(count.had(7, ReportClass::output), 2U);
    for (const NodeIndex elsewhere : {0U, 4U, 8U, UINT32_MAX})
        EXPECT_EQ(count.had(elsewhere, ReportClass::control), 0U) << elsewhere;
}

}  // namespace
}  // namespace launch
