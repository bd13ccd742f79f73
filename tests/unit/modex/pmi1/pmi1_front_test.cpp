// SPDX-License-Identifier: MIT
#include "modex/pmi1/pmi1_front.hpp"

#include <gtest/gtest.h>

#include "modex/pmi1/limits.hpp"
#include "tests/unit/golden.hpp"
#include "tests/unit/modex/pmi/opened_front.hpp"

namespace launch {
namespace {

using Kind = Request::Kind;

constexpr const char* init_line = "cmd=init pmi_version=1 pmi_subversion=1\n";

Pmi1Front opened() {
    return front_after<Pmi1Front>(init_line);
}

TEST(Pmi1Front, answers_by_itself_what_it_knows) {
    struct Row {
        const char* name;
        std::string line;
        std::string answer;
    };
    const Row rows[] = {
        {"init 1.1", init_line, "cmd=response_to_init pmi_version=1 pmi_subversion=1 rc=0\n"},
        {"init 1.2", "cmd=init pmi_version=1 pmi_subversion=2\n",
         "cmd=response_to_init pmi_version=1 pmi_subversion=1 rc=0\n"},
        {"init 1.0", "cmd=init pmi_subversion=0 pmi_version=1\n",
         "cmd=response_to_init pmi_version=1 pmi_subversion=1 rc=0\n"},
        {"init 2.0", "cmd=init pmi_version=2 pmi_subversion=0\n",
         "cmd=response_to_init pmi_version=1 pmi_subversion=1 rc=-1\n"},
        {"maxes", "cmd=get_maxes\n", "cmd=maxes kvsname_max=64 keylen_max=64 vallen_max=866\n"},
        {"appnum", "cmd=get_appnum\n", "cmd=appnum appnum=1\n"},
        {"kvsname", "cmd=get_my_kvsname\n", "cmd=my_kvsname kvsname=kvs\n"},
        {"universe size", "cmd=get_universe_size\n", "cmd=universe_size size=16\n"},
        {"mapping", "cmd=get kvsname=kvs key=PMI_process_mapping\n",
         "cmd=get_result rc=0 msg=success value=(vector,(0,4,2))\n"},
        {"put of another store", "cmd=put kvsname=other key=a value=b\n",
         "cmd=put_result rc=-1 msg=kvs_not_found\n"},
        {"get of another store", "cmd=get kvsname=other key=a\n",
         "cmd=get_result rc=-1 msg=kvs_not_found\n"},
        {"put of a key of ours", "cmd=put kvsname=kvs key=PMI_process_mapping value=b\n",
         "cmd=put_result rc=-1 msg=key_reserved\n"},
        {"put without a key", "cmd=put kvsname=kvs key= value=b\n",
         "cmd=put_result rc=-1 msg=key_empty\n"},
        {"put of nothing", "cmd=put kvsname=kvs key= value=\n",
         "cmd=put_result rc=0 msg=success\n"},
        {"put of a long key",
         "cmd=put kvsname=kvs key=" + std::string(pmi1_keylen_max + 1, 'k') + " value=b\n",
         "cmd=put_result rc=-1 msg=key_too_long\n"},
        {"put of a long value",
         "cmd=put kvsname=kvs key=k value=" + std::string(pmi1_vallen_max + 1, 'v') + "\n",
         "cmd=put_result rc=-1 msg=value_too_long\n"},
        {"get of a long key",
         "cmd=get kvsname=kvs key=" + std::string(pmi1_keylen_max + 1, 'k') + "\n",
         "cmd=get_result rc=-1 msg=key_not_found\n"},
        {"a long service",
         "cmd=publish_name service=" + std::string(pmi1_vallen_max + 1, 's') + " port=p\n",
         "cmd=publish_result info=failed rc=-1 msg=name_too_long\n"},
        {"lookup of a long service",
         "cmd=lookup_name service=" + std::string(pmi1_vallen_max + 1, 's') + "\n",
         "cmd=lookup_result info=failed rc=-1 msg=name_too_long\n"},
        {"unpublish of a long service",
         "cmd=unpublish_name service=" + std::string(pmi1_vallen_max + 1, 's') + "\n",
         "cmd=unpublish_result info=failed rc=-1 msg=name_too_long\n"},
    };
    for (const auto& row : rows) {
        Pmi1Front front = opened();
        front.feed(row.line);
        const auto request = front.next();
        ASSERT_TRUE(request) << row.name << ": " << request.error().cause;
        EXPECT_FALSE(request->has_value()) << row.name;
        EXPECT_EQ(front.take_output(), row.answer) << row.name;
        EXPECT_TRUE(front.joined()) << row.name;
    }
}

TEST(Pmi1Front, a_spawn_is_asked_when_it_is_whole) {
    struct Row {
        const char* name;
        Reply reply;
        std::string answer;
    };
    const Row rows[] = {
        {"they start", {true, "kvs.1"}, "cmd=spawn_result rc=0 jobid=kvs.1\n"},
        {"they do not",
         {false, "no such host", {1, 1, 0}},
         "cmd=spawn_result rc=-1 msg=no_such_host errcodes=1,1,0\n"},
        {"more than a client reads",
         {false, std::string(500, 'x'), std::vector<int>(1000, 1)},
         "cmd=spawn_result rc=-1 msg=" + std::string(160, 'x') + "\n"},
    };
    for (const auto& row : rows) {
        Pmi1Front front = opened();
        for (const char* line : {"mcmd=spawn\nnprocs=2\nexec", "name=a\ntotspawns=2\nend", "cmd\n",
                                 "mcmd=spawn\nnprocs=1\nexecname=b\n"}) {
            front.feed(line);
            const auto none = front.next();
            ASSERT_TRUE(none && !none->has_value()) << row.name;
        }
        front.feed("endcmd\n");
        const auto request = front.next();
        ASSERT_TRUE(request && request->has_value()) << row.name;
        EXPECT_EQ((*request)->kind, Kind::spawn) << row.name;
        EXPECT_EQ((*request)->spawn.programs.size(), 2U) << row.name;
        front.reply((*request)->ticket, row.reply);
        EXPECT_EQ(front.take_output(), row.answer) << row.name;
    }
}

TEST(Pmi1Front, asks_and_answers) {
    struct Row {
        const char* name;
        std::string line;
        Kind kind;
        std::string key;
        std::string value;
        Reply reply;
        std::string answer;
    };
    const std::string longest(pmi1_vallen_max, 'v');
    const Row rows[] = {
        {"put",
         "cmd=put kvsname=kvs key=a value=b\n",
         Kind::put,
         "a",
         "b",
         {},
         "cmd=put_result rc=0 msg=success\n"},
        {"a value of segments",
         "cmd=put kvsname=kvs key=a value=segments=3\n",
         Kind::put,
         "a",
         "segments=3",
         {},
         "cmd=put_result rc=0 msg=success\n"},
        {"a value with blanks",
         "cmd=put kvsname=kvs key=a value=b key=c \n",
         Kind::put,
         "a",
         "b key=c ",
         {},
         "cmd=put_result rc=0 msg=success\n"},
        {"an empty value",
         "cmd=put kvsname=kvs key=a value=\n",
         Kind::put,
         "a",
         "",
         {},
         "cmd=put_result rc=0 msg=success\n"},
        {"the longest value",
         "cmd=put kvsname=kvs key=a value=" + longest + "\n",
         Kind::put,
         "a",
         longest,
         {},
         "cmd=put_result rc=0 msg=success\n"},
        {"a refused put",
         "cmd=put kvsname=kvs key=a value=b\n",
         Kind::put,
         "a",
         "b",
         {false, "no room = no put"},
         "cmd=put_result rc=-1 msg=no_room___no_put\n"},
        {"get",
         "cmd=get kvsname=kvs key=a\n",
         Kind::get,
         "a",
         "",
         {true, "b=c"},
         "cmd=get_result rc=0 msg=success value=b=c\n"},
        {"a get of nothing",
         "cmd=get kvsname=kvs key=a\n",
         Kind::get,
         "a",
         "",
         {false, "key_not_found"},
         "cmd=get_result rc=-1 msg=key_not_found\n"},
        {"another key of ours",
         "cmd=get kvsname=kvs key=PMI_dead_processes\n",
         Kind::get,
         "PMI_dead_processes",
         "",
         {false, ""},
         "cmd=get_result rc=-1 msg=failed\n"},
        {"barrier", "cmd=barrier_in\n", Kind::fence, "", "", {}, "cmd=barrier_out\n"},
        {"the world's barrier",
         "cmd=barrier_in group=WORLD\n",
         Kind::fence,
         "",
         "",
         {},
         "cmd=barrier_out\n"},
        {"a failed barrier",
         "cmd=barrier_in\n",
         Kind::fence,
         "",
         "",
         {false, "lost"},
         "cmd=barrier_out rc=-1 msg=lost\n"},
        {"publish",
         "cmd=publish_name service=a service port=tag#0$x y$\n",
         Kind::publish,
         "a service",
         "tag#0$x y$",
         {},
         "cmd=publish_result info=ok rc=0 msg=success\n"},
        {"publish again",
         "cmd=publish_name service=s port=p\n",
         Kind::publish,
         "s",
         "p",
         {false, "key_exists"},
         "cmd=publish_result info=failed rc=-1 msg=key_exists\n"},
        {"lookup",
         "cmd=lookup_name service=a service\n",
         Kind::lookup,
         "a service",
         "",
         {true, "p q"},
         "cmd=lookup_result info=ok rc=0 msg=success port=p q\n"},
        {"lookup of nothing",
         "cmd=lookup_name service=s\n",
         Kind::lookup,
         "s",
         "",
         {false, "not_found"},
         "cmd=lookup_result info=failed rc=-1 msg=not_found\n"},
        {"unpublish",
         "cmd=unpublish_name service=s\n",
         Kind::unpublish,
         "s",
         "",
         {},
         "cmd=unpublish_result info=ok rc=0 msg=success\n"},
        {"finalize", "cmd=finalize\n", Kind::finalize, "", "", {}, "cmd=finalize_ack\n"},
    };
    for (const auto& row : rows) {
        for (const size_t step : {size_t{1}, size_t{7}, row.line.size()}) {
            Pmi1Front front = opened();
            std::optional<Request> request;
            for (size_t at = 0; at < row.line.size(); at += step) {
                ASSERT_FALSE(request) << row.name;
                front.feed(std::string_view(row.line).substr(at, step));
                auto next = front.next();
                ASSERT_TRUE(next) << row.name << ": " << next.error().cause;
                request = std::move(*next);
            }
            ASSERT_TRUE(request) << row.name;
            EXPECT_EQ(request->kind, row.kind) << row.name;
            EXPECT_EQ(request->key, row.key) << row.name;
            EXPECT_EQ(request->value, row.value) << row.name;
            EXPECT_EQ(request->number, -1) << row.name;
            EXPECT_EQ(front.take_output(), "") << row.name;
            front.reply(request->ticket, row.reply);
            EXPECT_EQ(front.take_output(), row.answer) << row.name;
        }
    }
}

TEST(Pmi1Front, a_mapping_that_is_too_long_or_unknown_is_no_key) {
    for (const auto& mapping : {std::string(), std::string(pmi1_vallen_max + 1, 'm')}) {
        auto unknown = rank_facts();
        unknown.process_mapping = mapping;
        Pmi1Front front(unknown);
        front.feed(init_line);
        front.feed("cmd=get kvsname=kvs key=PMI_process_mapping\n");
        ASSERT_TRUE(front.next());
        EXPECT_TRUE(front.take_output().ends_with("rc=-1 msg=key_not_found\n"));
    }
}

TEST(Pmi1Front, abort_has_a_code_and_a_message) {
    struct Row {
        const char* line;
        int32_t code;
        const char* message;
    };
    const Row rows[] = {
        {"cmd=abort exitcode=7\n", 7, ""},
        {"cmd=abort\n", 1, ""},
        {"cmd=abort exitcode=-1 message=out of memory=none\n", -1, "out of memory=none"},
    };
    for (const auto& row : rows) {
        Pmi1Front front(rank_facts());  // before init, too
        front.feed(row.line);
        const auto request = front.next();
        ASSERT_TRUE(request && *request) << row.line;
        EXPECT_EQ((*request)->kind, Kind::abort) << row.line;
        EXPECT_EQ((*request)->number, row.code) << row.line;
        EXPECT_EQ((*request)->value, row.message) << row.line;
        EXPECT_EQ(front.take_output(), "") << row.line;
    }
}

TEST(Pmi1Front, a_session_opens_and_closes) {
    Pmi1Front front(rank_facts());
    EXPECT_FALSE(front.joined());
    front.feed("cmd=init pmi_version=7 pmi_subversion=0\n");
    ASSERT_TRUE(front.next());
    EXPECT_FALSE(front.joined());
    front.feed(init_line);
    ASSERT_TRUE(front.next());
    EXPECT_TRUE(front.joined());
    EXPECT_FALSE(front.finalized());
    front.feed("cmd=finalize\n");
    const auto request = front.next();
    ASSERT_TRUE(request && *request);
    EXPECT_FALSE(front.joined());
    EXPECT_TRUE(front.finalized());
}

TEST(Pmi1Front, one_request_at_a_time_but_an_abort) {
    Pmi1Front front = opened();
    front.feed("cmd=barrier_in\ncmd=barrier_in\n");
    const auto first = front.next();
    ASSERT_TRUE(first && *first);
    const auto none = front.next();
    ASSERT_TRUE(none);
    EXPECT_FALSE(none->has_value());
    front.reply((*first)->ticket + 1, {});
    EXPECT_EQ(front.take_output(), "");
    front.reply((*first)->ticket, {});
    EXPECT_EQ(front.take_output(), "cmd=barrier_out\n");
    const auto second = front.next();
    ASSERT_TRUE(second && *second);
    EXPECT_NE((*second)->ticket, (*first)->ticket);
    front.feed("cmd=abort exitcode=3\n");
    const auto abort = front.next();
    ASSERT_TRUE(abort && *abort);
    EXPECT_EQ((*abort)->kind, Kind::abort);
    front.reply((*second)->ticket, {});
    EXPECT_EQ(front.take_output(), "cmd=barrier_out\n");
}

TEST(Pmi1Front, says_what_is_wrong) {
    struct Row {
        const char* name;
        std::string bytes;
    };
    const Row rows[] = {
        {"an unknown command", "cmd=foo a=b\n"},
        {"another protocol", "GET / HTTP/1.0\r\n"},
        {"rubbish without an end", "\x01\x02\\"},
        {"an empty line", "\n"},
        {"another multi-line command", "mcmd=foo\n"},
        {"PMI-2", "    22cmd=kvs-fence;thrid=1;"},
        {"NUL", std::string("cmd=get\0key=a\n", 14)},
        {"a long line", "cmd=" + std::string(pmi1_line_max, 'x')},
        {"a long whole line", "cmd=" + std::string(pmi1_line_max, 'x') + "\n"},
        {"put without a store", "cmd=put key=a value=b\n"},
        {"put without a key", "cmd=put kvsname=kvs value=b\n"},
        {"put without a value", "cmd=put kvsname=kvs key=b value\n"},
        {"get without a store", "cmd=get key=a\n"},
        {"get without a key", "cmd=get kvsname=kvs\n"},
        {"publish without a port", "cmd=publish_name service=s\n"},
        {"publish without a service", "cmd=publish_name port=p\n"},
        {"lookup without a service", "cmd=lookup_name\n"},
        {"unpublish without a service", "cmd=unpublish_name\n"},
        {"a group's barrier", "cmd=barrier_in group=NODE:t\n"},
        {"an exit code out of range", "cmd=abort exitcode=4294967296\n"},
        {"init without a version", "cmd=init\n"},
        {"init with a strange version", "cmd=init pmi_version=-1 pmi_subversion=1\n"},
        {"a spawn that is none", "mcmd=spawn\nfoo\n"},
        {"too long a spawn", "mcmd=spawn\n" +
                                 [] {
                                     std::string lines;
                                     while (lines.size() <= pmi1_spawn_max)
                                         lines += "arg1=" + std::string(60'000, 'x') + "\n";
                                     return lines;
                                 }()},
    };
    for (const auto& row : rows) {
        Pmi1Front front = opened();
        expect_golden(row.name, cause_of(front, row.bytes));
    }
    Pmi1Front fresh(rank_facts());
    EXPECT_EQ(cause_of(fresh, "cmd=get_maxes\n"), "sent 'cmd=get_maxes' before init");
    Pmi1Front over = opened();
    over.feed("cmd=finalize\n");
    ASSERT_TRUE(over.next());
    over.reply(1, {});
    EXPECT_EQ(cause_of(over, "cmd=barrier_in\n"), "sent 'cmd=barrier_in' after finalize");
}

TEST(Pmi1Front, serves_one_program_after_the_other) {
    Pmi1Front front = opened();
    front.feed("cmd=finalize\n");
    ASSERT_TRUE(front.next());
    front.reply(1, {});
    EXPECT_TRUE(front.finalized());
    front.take_output();
    front.feed("cmd=init pmi_version=1 pmi_subversion=1\ncmd=barrier_in\n");
    const auto request = front.next();
    ASSERT_TRUE(request && request->has_value());
    EXPECT_EQ((*request)->kind, Request::Kind::fence);
    EXPECT_TRUE(front.joined());
}

TEST(Pmi1Front, does_not_keep_what_nobody_waits_for) {
    Pmi1Front front = opened();
    front.feed("cmd=barrier_in\n");
    ASSERT_TRUE(front.next());
    const std::string more(max_unread / 2 + 1, 'x');
    EXPECT_EQ(cause_of(front, more), "");
    EXPECT_EQ(cause_of(front, more), "sent 262146 bytes without waiting for an answer");
}

}  // namespace
}  // namespace launch
