#include "core/node/news_count.hpp"

#include <gtest/gtest.h>

namespace launch {
namespace {

using Verdict = NewsCount::Verdict;

TEST(NewsCount, takes_each_news_once_and_in_order) {
    struct Row {
        NodeIndex origin;
        NewsClass kind;
        uint64_t number;
        Verdict verdict;
    };
    const Row rows[] = {
        {4, NewsClass::control, 1, Verdict::unknown}, {8, NewsClass::control, 1, Verdict::unknown},
        {5, NewsClass::control, 2, Verdict::early},   {5, NewsClass::control, 1, Verdict::fresh},
        {5, NewsClass::control, 1, Verdict::known},   {5, NewsClass::control, 0, Verdict::known},
        {5, NewsClass::output, 1, Verdict::fresh},    {5, NewsClass::control, 2, Verdict::fresh},
        {5, NewsClass::control, 1, Verdict::known},   {7, NewsClass::output, 1, Verdict::fresh},
        {5, NewsClass::output, 3, Verdict::early},    {5, NewsClass::output, 2, Verdict::fresh},
        {7, NewsClass::output, 2, Verdict::fresh},    {5, NewsClass::output, 3, Verdict::fresh},
    };
    NewsCount count(5, 3);
    size_t at = 0;
    for (const Row& row : rows)
        EXPECT_EQ(count.take(row.kind, {row.origin, row.number}), row.verdict) << "row " << at++;
    EXPECT_EQ(count.had(5, NewsClass::control), 2U);
    EXPECT_EQ(count.had(5, NewsClass::output), 3U);
    EXPECT_EQ(count.had(6, NewsClass::output), 0U);
    EXPECT_EQ(count.had(7, NewsClass::output), 2U);
}

}  // namespace
}  // namespace launch
