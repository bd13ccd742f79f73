// SPDX-License-Identifier: MIT
#include "core/job/output_pattern.hpp"

#include <gtest/gtest.h>

namespace launch {
namespace {

std::string filled(std::string_view text) {
    OutputPattern pattern;
    const auto objection = OutputPattern::read(text, pattern);
    if (!objection.empty()) return "objection: " + objection;
    OutputFields fields;
    fields.rank = 7;
    fields.local_rank = 1;
    fields.size = 900;
    fields.node = 3;
    fields.program = 2;
    fields.host = "node004.cluster";
    fields.job = "j-1";
    fields.stream = "err";
    return pattern.fill(fields);
}

TEST(OutputPattern, fills_in_what_it_names) {
    struct Row {
        const char* pattern;
        const char* text;
    };
    for (const Row& row : {
             Row{"", ""},
             Row{"plain", "plain"},
             Row{"[%r] ", "[7] "},
             Row{"%t/%{rank}", "7/7"},
             Row{"%R", "007"},
             Row{"%4t", "0007"},
             Row{"%04r", "0007"},
             Row{"%2{local-rank}%l", "011"},
             Row{"%h|%{host}|%N|%{short-host}", "node004.cluster|node004.cluster|node004|node004"},
             Row{"%p%{node}", "33"},
             Row{"%j %{job}", "j-1 j-1"},
             Row{"%{program}.%{stream}.%{size}", "2.err.900"},
             Row{"100%% %%r", "100% %r"},
             Row{"%{time}%{date}", ""},
         })
        EXPECT_EQ(filled(row.pattern), row.text) << row.pattern;
}

TEST(OutputPattern, says_what_it_does_not_know) {
    struct Row {
        const char* pattern;
        const char* word;
    };
    for (const Row& row : {
             Row{"%", "%%"},
             Row{"%12", "%%"},
             Row{"%n", "%p"},
             Row{"%s", "%{stream}"},
             Row{"%x", "%x is not a field"},
             Row{"%{rank", "without }"},
             Row{"%{ranks}", "rank local-rank"},
         }) {
        const auto said = filled(row.pattern);
        EXPECT_TRUE(said.starts_with("objection: ")) << row.pattern << ": " << said;
        EXPECT_NE(said.find(row.word), std::string::npos) << row.pattern << ": " << said;
    }
}

TEST(OutputPattern, a_literal_text_comes_back) {
    EXPECT_EQ(filled(literal_pattern("/a/100%/%r")), "/a/100%/%r");
}

TEST(OutputPattern, knows_what_it_has) {
    OutputPattern pattern;
    ASSERT_EQ(OutputPattern::read("%h-%{time}", pattern), "");
    EXPECT_TRUE(pattern.has(OutputField::time));
    EXPECT_FALSE(pattern.has(OutputField::rank));
}

}  // namespace
}  // namespace launch
