// SPDX-License-Identifier: MIT
#include "core/link/report_log.hpp"

#include <gtest/gtest.h>

namespace launch {
namespace {

constexpr NodeIndex self = 7;

std::string body_of(const ReportLog::Entry* entry) {
    if (entry == nullptr) return "nothing";
    const auto report = unwrap_report(entry->payload);
    EXPECT_TRUE(report && report->header == (ReportHeader{self, entry->number}));
    return report ? std::string(report->body) : "malformed";
}

/// Sends what is next.
std::string send(ReportLog& log) {
    const auto* entry = log.next_output();
    const std::string body = body_of(entry);
    if (entry != nullptr) log.output_sent(entry->number);
    return body;
}

ReportLog log_of(std::initializer_list<const char*> outputs) {
    ReportLog log(self);
    for (const char* body : outputs)
        log.add_output(body);
    return log;
}

TEST(ReportLog, control_reports_are_kept_until_they_are_acknowledged) {
    ReportLog log(self);
    EXPECT_EQ(body_of(&log.add(FrameType::exits, "one")), "one");
    EXPECT_EQ(body_of(&log.add(FrameType::notice, "two")), "two");
    log.acknowledge({self, 1, 0});
    ASSERT_EQ(log.control().entries().size(), 1U);
    EXPECT_EQ(body_of(&log.control().entries().front()), "two");
    EXPECT_EQ(log.control().entries().front().type, FrameType::notice);
    log.acknowledge({self, 1, 0});
    EXPECT_EQ(log.control().entries().size(), 1U) << "the same word again";
    log.acknowledge({self, 2, 0});
    EXPECT_TRUE(log.control().entries().empty());
}

TEST(ReportLog, output_is_sent_in_order_and_again_after_a_break) {
    ReportLog log = log_of({"a", "b", "c"});
    EXPECT_EQ(send(log), "a");
    EXPECT_EQ(send(log), "b");
    log.acknowledge({self, 0, 1});
    log.rewind();
    for (const char* body : {"b", "c", "nothing"})
        EXPECT_EQ(send(log), body);
    log.add_output("d");
    EXPECT_EQ(send(log), "d");
}

TEST(ReportLog, a_late_word_about_what_is_being_sent_again_skips_nothing) {
    ReportLog log = log_of({"a", "b", "c"});
    EXPECT_EQ(send(log), "a");
    log.rewind();
    const uint64_t sending = log.next_output()->number;
    log.acknowledge({self, 0, 1});  // it had arrived before the link broke
    log.output_sent(sending);
    EXPECT_EQ(send(log), "b");
}

TEST(ReportLog, what_waited_for_credit_while_a_link_above_broke_skips_nothing) {
    ReportLog log = log_of({"a", "b", "c", "d"});
    EXPECT_EQ(send(log), "a");
    EXPECT_EQ(send(log), "b");
    const uint64_t sending = log.next_output()->number;
    log.rewind();
    log.output_sent(sending);
    for (const char* body : {"a", "b", "c", "d", "nothing"})
        EXPECT_EQ(send(log), body);
}

TEST(ReportLog, output_counts_until_it_is_confirmed) {
    ReportLog log = log_of({"a", "b"});
    const size_t both = log.output_bytes();
    EXPECT_GE(both, 2U);
    send(log);
    EXPECT_EQ(log.output_bytes(), both);
    log.acknowledge({self, 0, 1});
    EXPECT_EQ(log.output_bytes(), both / 2);
    log.acknowledge({self, 0, 2});  // confirmed before it was sent: over the link that broke
    EXPECT_EQ(log.output_bytes(), 0U);
    EXPECT_EQ(log.next_output(), nullptr);
    log.acknowledge({self, 9, 9});
    log.add_output("c");
    EXPECT_EQ(send(log), "c");
}

}  // namespace
}  // namespace launch
