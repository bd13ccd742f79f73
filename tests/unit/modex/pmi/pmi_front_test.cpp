// SPDX-License-Identifier: MIT
#include "modex/pmi/pmi_front.hpp"

#include <gtest/gtest.h>

#include "tests/unit/golden.hpp"

namespace launch {
namespace {

RankFacts facts() {
    return {3, 8, 0, 8, "kvs", "(vector,(0,8,1))"};
}

TEST(PmiFront, the_first_line_decides_the_protocol) {
    struct Row {
        const char* name;
        std::string bytes;
        std::string answer;
        PmiOffer offer;
        bool joined;
    };
    const std::string ack = "cmd=initack\ncmd=set size=8\ncmd=set rank=3\ncmd=set debug=0\n";
    const std::string one = "cmd=response_to_init pmi_version=1 pmi_subversion=1 rc=";
    const std::string two = "cmd=response_to_init pmi_version=2 pmi_subversion=0 rc=";
    const std::string full =
        "   113cmd=fullinit-response;rc=0;pmi-version=2;pmi-subversion=0;rank=3;size=8;appnum=0;"
        "debugged=FALSE;pmiverbose=FALSE;";
    const std::string init1 = "cmd=init pmi_version=1 pmi_subversion=1\n";
    const std::string init2 = "cmd=init pmi_version=2 pmi_subversion=0\n";
    const Row rows[] = {
        {"PMI-1", init1 + "cmd=get_appnum\n", one + "0\ncmd=appnum appnum=0\n", PmiOffer::any,
         true},
        {"PMI-2", init2 + "13    cmd=fullinit;", two + "0\n" + full, PmiOffer::any, true},
        {"another version", "cmd=init pmi_version=3 pmi_subversion=0\n", one + "-1\n",
         PmiOffer::any, false},
        {"only PMI-1", init2, one + "-1\n", PmiOffer::pmi1, false},
        {"only PMI-2", init1, two + "-1\n", PmiOffer::pmi2, false},
        {"PMI-2 after all", init1 + init2 + "13    cmd=fullinit;",
         two + "-1\n" + two + "0\n" + full, PmiOffer::pmi2, true},
        {"by the port", "cmd=initack pmiid=1234\n" + init1, ack + one + "0\n", PmiOffer::any, true},
    };
    for (const auto& row : rows) {
        for (const size_t step : {size_t{1}, row.bytes.size()}) {
            const auto front = make_pmi_front(facts(), row.offer, 1234);
            EXPECT_EQ(front->take_output(), "") << row.name;
            std::string answer;
            for (size_t at = 0; at < row.bytes.size(); at += step) {
                front->feed(std::string_view(row.bytes).substr(at, step));
                const auto request = front->next();
                ASSERT_TRUE(request) << row.name << ": " << request.error().cause;
                EXPECT_FALSE(request->has_value()) << row.name;
                answer += front->take_output();
            }
            EXPECT_EQ(answer, row.answer) << row.name;
            EXPECT_EQ(front->joined(), row.joined) << row.name;
            EXPECT_FALSE(front->finalized()) << row.name;
        }
    }
}

TEST(PmiFront, says_what_is_wrong) {
    struct Row {
        const char* name;
        std::string bytes;
    };
    const Row rows[] = {
        {"rubbish",
         "\x7f"
         "ELF"},
        {"another command", "cmd=get_maxes\n"},
        {"PMI-2 without its first line", "    14cmd=kvs-fence;"},
        {"init of nothing", "cmd=init\n"},
        {"another id", "cmd=initack pmiid=4\n"},
        {"the rank for the id", "cmd=initack pmiid=3\n"},
        {"no id", "cmd=initack pmiid=-1\n"},
    };
    for (const auto& row : rows) {
        const auto front = make_pmi_front(facts(), PmiOffer::any, 1234);
        front->feed(row.bytes);
        const auto request = front->next();
        ASSERT_FALSE(request) << row.name;
        expect_golden(row.name, request.error().cause);
    }
    const auto inherited = make_pmi_front(facts());
    inherited->feed("cmd=initack pmiid=3\n");
    EXPECT_FALSE(inherited->next());
    const auto front = make_pmi_front(facts());
    front->feed("cmd=init" + std::string(100'000, 'x'));
    EXPECT_FALSE(front->next());
}

TEST(PmiFront, replies_reach_the_session) {
    const auto front = make_pmi_front(facts());
    front->reply(1, {});
    front->feed("cmd=init pmi_version=1 pmi_subversion=1\ncmd=finalize\n");
    const auto request = front->next();
    ASSERT_TRUE(request && *request);
    front->take_output();
    front->reply((*request)->ticket, {});
    EXPECT_EQ(front->take_output(), "cmd=finalize_ack\n");
    EXPECT_TRUE(front->finalized());
}

TEST(PmiFront, a_port_learns_who_came) {
    const auto id = parse_initack("cmd=initack pmiid=12\ncmd=init");
    ASSERT_TRUE(id && *id);
    EXPECT_EQ(**id, 12u);
    for (const char* part : {"", "cmd", "cmd=initack pmiid=1"}) {
        const auto more = parse_initack(part);
        ASSERT_TRUE(more) << part;
        EXPECT_FALSE(more->has_value()) << part;
    }
    for (const char* wrong : {"x", "cmd=initack\n", "cmd=init pmiid=1\n", "cmd=initack pmiid=x\n"})
        EXPECT_FALSE(parse_initack(wrong)) << wrong;
}

}  // namespace
}  // namespace launch
