// SPDX-License-Identifier: MIT
#include "modex/pmi2/pmi2_front.hpp"

#include <gtest/gtest.h>

#include "tests/unit/golden.hpp"
#include "tests/unit/modex/pmi/opened_front.hpp"

namespace launch {
namespace {

using Kind = Request::Kind;

constexpr const char* init_line = "cmd=init pmi_version=2 pmi_subversion=0\n";

/// With its length, as the clients of today write it.
std::string framed(std::string_view body) {
    std::string length = std::to_string(body.size());
    length.insert(0, pmi2_length_digits - length.size(), ' ');
    return length + std::string(body);
}

Pmi2Front opened() {
    return front_after<Pmi2Front>(init_line + framed("cmd=fullinit;pmirank=3;threaded=FALSE;"));
}

TEST(Pmi2Front, answers_by_itself_what_it_knows) {
    struct Row {
        const char* name;
        std::string body;
        std::string answer;
    };
    const std::string long_key(pmi2_keylen_max + 1, 'k');
    const Row rows[] = {
        {"fullinit", "cmd=fullinit;pmirank=3;threaded=TRUE;",
         "cmd=fullinit-response;rc=0;pmi-version=2;pmi-subversion=0;rank=3;size=8;appnum=1;"
         "debugged=FALSE;pmiverbose=FALSE;"},
        {"fullinit of a thread", "cmd=fullinit;thrid=0x1;",
         "cmd=fullinit-response;thrid=0x1;rc=0;pmi-version=2;pmi-subversion=0;rank=3;size=8;"
         "appnum=1;debugged=FALSE;pmiverbose=FALSE;"},
        {"job id", "cmd=job-getid;thrid=7;", "cmd=job-getid-response;thrid=7;rc=0;jobid=kvs;"},
        {"mapping", "cmd=info-getjobattr;key=PMI_process_mapping;",
         "cmd=info-getjobattr-response;rc=0;found=TRUE;value=(vector,(0,4,2));"},
        {"universe size", "cmd=info-getjobattr;key=universeSize;",
         "cmd=info-getjobattr-response;rc=0;found=TRUE;value=16;"},
        {"mapping by get", "cmd=kvs-get;jobid=kvs;srcid=-1;key=PMI_process_mapping;",
         "cmd=kvs-get-response;rc=0;found=TRUE;value=(vector,(0,4,2));"},
        {"get of another job", "cmd=kvs-get;jobid=other;srcid=0;key=a;thrid=1;",
         "cmd=kvs-get-response;thrid=1;rc=0;found=FALSE;"},
        {"get of a long key", "cmd=kvs-get;key=" + long_key + ";",
         "cmd=kvs-get-response;rc=0;found=FALSE;"},
        {"put of a key of ours", "cmd=kvs-put;key=PMI_x;value=b;thrid=1;",
         "cmd=kvs-put-response;thrid=1;rc=-1;errmsg=key_reserved;"},
        {"put without a key", "cmd=kvs-put;key=;value=b;",
         "cmd=kvs-put-response;rc=-1;errmsg=key_empty;"},
        {"put of a long key", "cmd=kvs-put;key=" + long_key + ";value=b;",
         "cmd=kvs-put-response;rc=-1;errmsg=key_too_long;"},
        {"put of a long value",
         "cmd=kvs-put;key=a;value=" + std::string(pmi2_vallen_max + 1, 'v') + ";",
         "cmd=kvs-put-response;rc=-1;errmsg=value_too_long;"},
        {"connect", "cmd=job-connect;jobid=j;",
         "cmd=job-connect-response;rc=-1;errmsg=not_supported;"},
        {"ring", "cmd=ring;ring-count=1;", "cmd=ring-response;rc=-1;errmsg=not_supported;"},
    };
    for (const auto& row : rows) {
        Pmi2Front front = opened();
        front.feed(framed(row.body));
        const auto request = front.next();
        ASSERT_TRUE(request) << row.name << ": " << request.error().cause;
        EXPECT_FALSE(request->has_value()) << row.name;
        EXPECT_EQ(front.take_output(), framed(row.answer)) << row.name;
        EXPECT_TRUE(front.joined()) << row.name;
    }
}

TEST(Pmi2Front, a_rank_that_was_spawned_is_told_by_whom) {
    RankFacts facts = rank_facts();
    facts.spawner = "parent";
    Pmi2Front front(facts);
    front.feed(init_line + framed("cmd=fullinit;"));
    ASSERT_TRUE(front.next());
    EXPECT_NE(front.take_output().find("spawner-jobid=parent;"), std::string::npos);
}

TEST(Pmi2Front, spawns) {
    Pmi2Front front = opened();
    front.feed(
        framed("cmd=spawn;thrid=1;ncmds=2;preputcount=1;ppkey0=K;ppval0=a;;b;subcmd=p;"
               "maxprocs=2;argc=1;argv0=x y;infokeycount=1;infokey0=wdir;infoval0=/w;"
               "subcmd=q;maxprocs=1;argc=0;infokeycount=0;"));
    const auto request = front.next();
    ASSERT_TRUE(request && request->has_value());
    const SpawnOrder wanted{{{{"p", "x y"}, 2, {}, {{"wdir", "/w"}}}, {{"q"}, 1, {}, {}}},
                            {{"K", "a;b"}}};
    EXPECT_EQ((*request)->kind, Kind::spawn);
    EXPECT_EQ((*request)->spawn, wanted);
    front.reply((*request)->ticket, {true, "kvs.1"});
    EXPECT_EQ(front.take_output(), framed("cmd=spawn-response;thrid=1;rc=0;jobid=kvs.1;nerrs=0;"));
}

TEST(Pmi2Front, a_spawn_that_fails_is_answered_by_its_processes) {
    Pmi2Front front = opened();
    front.feed(framed("cmd=spawn;ncmds=1;subcmd=p;maxprocs=2;"));
    const auto request = front.next();
    ASSERT_TRUE(request && request->has_value());
    front.reply((*request)->ticket, {false, "why not", {1, 0}});
    EXPECT_EQ(front.take_output(), framed("cmd=spawn-response;rc=-1;errcodes=1,0;errmsg=why not;"));
}

TEST(Pmi2Front, tells_what_is_wrong_with_a_spawn) {
    for (const char* body :
         {"cmd=spawn;ncmds=1;", "cmd=spawn;argv0=x;", "cmd=spawn;ppval0=x;subcmd=a;maxprocs=1;",
          "cmd=spawn;subcmd=a;infoval0=x;", "cmd=spawn;subcmd=;maxprocs=1;", "cmd=spawn;subcmd=a;",
          "cmd=spawn;subcmd=a;maxprocs=-1;"}) {
        Pmi2Front front = opened();
        expect_golden(body, cause_of(front, framed(body)));
    }
}

TEST(Pmi2Front, asks_and_answers) {
    struct Row {
        const char* name;
        std::string body;
        Request request;
        Reply reply;
        std::string answer;
    };
    const auto of = [](Kind kind, std::string key = {}, std::string value = {}, int32_t number = -1,
                       bool wait = false) {
        return Request{kind, 0, std::move(key), std::move(value), number, wait};
    };
    const Row rows[] = {
        {"put",
         "cmd=kvs-put;thrid=0xa;key=a;value=b;;c=d;",
         of(Kind::put, "a", "b;c=d"),
         {},
         "cmd=kvs-put-response;thrid=0xa;rc=0;"},
        {"an empty value",
         "cmd=kvs-put;key=a;value=;",
         of(Kind::put, "a"),
         {},
         "cmd=kvs-put-response;rc=0;"},
        {"a refused put",
         "cmd=kvs-put;key=a;value=b;",
         of(Kind::put, "a", "b"),
         {false, ""},
         "cmd=kvs-put-response;rc=-1;errmsg=failed;"},
        {"get",
         "cmd=kvs-get;jobid=kvs;srcid=5;key=a;",
         of(Kind::get, "a", "", 5),
         {true, "b;c"},
         "cmd=kvs-get-response;rc=0;found=TRUE;value=b;;c;"},
        {"get without a source",
         "cmd=kvs-get;jobid=;srcid=-1;key=a;",
         of(Kind::get, "a"),
         {false, "key_not_found"},
         "cmd=kvs-get-response;rc=0;found=FALSE;"},
        {"get from a rank there is not",
         "cmd=kvs-get;srcid=8;key=a;thrid=1;",
         of(Kind::get, "a"),
         {true, "v"},
         "cmd=kvs-get-response;thrid=1;rc=0;found=TRUE;value=v;"},
        {"fence",
         "cmd=kvs-fence;thrid=1;",
         of(Kind::fence),
         {},
         "cmd=kvs-fence-response;thrid=1;rc=0;"},
        {"a failed fence",
         "cmd=kvs-fence;",
         of(Kind::fence),
         {false, "lost"},
         "cmd=kvs-fence-response;rc=-1;errmsg=lost;"},
        {"put of the node",
         "cmd=info-putnodeattr;key=a;value=b;",
         of(Kind::put_node, "a", "b"),
         {},
         "cmd=info-putnodeattr-response;rc=0;"},
        {"get of the node",
         "cmd=info-getnodeattr;key=a;wait=FALSE;",
         of(Kind::get_node, "a"),
         {false, ""},
         "cmd=info-getnodeattr-response;rc=0;found=FALSE;"},
        {"get of the node, with time",
         "cmd=info-getnodeattr;key=a;wait=TRUE;",
         of(Kind::get_node, "a", "", -1, true),
         {true, "b"},
         "cmd=info-getnodeattr-response;rc=0;found=TRUE;value=b;"},
        {"get of the job",
         "cmd=info-getjobattr;key=hasNameServ;",
         of(Kind::get_job, "hasNameServ"),
         {true, "YES"},
         "cmd=info-getjobattr-response;rc=0;found=TRUE;value=YES;"},
        {"publish",
         "cmd=name-publish;name=s t;port=p;infokeycount=0;",
         of(Kind::publish, "s t", "p"),
         {},
         "cmd=name-publish-response;rc=0;"},
        {"unpublish",
         "cmd=name-unpublish;name=s;infokeycount=0;",
         of(Kind::unpublish, "s"),
         {false, "not_found"},
         "cmd=name-unpublish-response;rc=-1;errmsg=not_found;"},
        {"lookup",
         "cmd=name-lookup;name=s;infokeycount=0;",
         of(Kind::lookup, "s"),
         {true, "p"},
         "cmd=name-lookup-response;rc=0;value=p;port=p;"},
        {"lookup of nothing",
         "cmd=name-lookup;name=s;",
         of(Kind::lookup, "s"),
         {false, "not_found"},
         "cmd=name-lookup-response;rc=-1;errmsg=not_found;"},
        {"finalize",
         "cmd=finalize;thrid=1;",
         of(Kind::finalize),
         {},
         "cmd=finalize-response;thrid=1;rc=0;"},
    };
    for (const auto& row : rows) {
        const std::string bytes = framed(row.body);
        for (const size_t step : {size_t{1}, size_t{7}, bytes.size()}) {
            Pmi2Front front = opened();
            std::optional<Request> request;
            for (size_t at = 0; at < bytes.size(); at += step) {
                ASSERT_FALSE(request) << row.name;
                front.feed(std::string_view(bytes).substr(at, step));
                auto next = front.next();
                ASSERT_TRUE(next) << row.name << ": " << next.error().cause;
                request = std::move(*next);
            }
            ASSERT_TRUE(request) << row.name;
            EXPECT_EQ(request->kind, row.request.kind) << row.name;
            EXPECT_EQ(request->key, row.request.key) << row.name;
            EXPECT_EQ(request->value, row.request.value) << row.name;
            EXPECT_EQ(request->number, row.request.number) << row.name;
            EXPECT_EQ(request->wait, row.request.wait) << row.name;
            front.reply(request->ticket, row.reply);
            EXPECT_EQ(front.take_output(), framed(row.answer)) << row.name;
        }
    }
}

TEST(Pmi2Front, abort_has_a_code_and_a_message) {
    struct Row {
        const char* body;
        int32_t code;
        const char* message;
    };
    const Row rows[] = {
        {"cmd=abort;isworld=TRUE;msg=out of memory;;;", 1, "out of memory;"},
        {"cmd=abort;exitcode=7;message=m;", 7, "m"},
        {"cmd=abort;", 1, ""},
    };
    for (const auto& row : rows) {
        Pmi2Front front(rank_facts());
        front.feed(init_line + framed(row.body));
        const auto request = front.next();
        ASSERT_TRUE(request && *request) << row.body;
        EXPECT_EQ((*request)->kind, Kind::abort) << row.body;
        EXPECT_EQ((*request)->number, row.code) << row.body;
        EXPECT_EQ((*request)->value, row.message) << row.body;
    }
}

TEST(Pmi2Front, threads_are_answered_in_any_order) {
    Pmi2Front front = opened();
    front.feed(framed("cmd=info-getnodeattr;thrid=1;key=a;wait=TRUE;") +
               framed("cmd=kvs-get;thrid=2;key=b;") + framed("cmd=kvs-fence;thrid=3;"));
    std::vector<uint64_t> tickets;
    for (int i = 0; i < 3; ++i) {
        const auto request = front.next();
        ASSERT_TRUE(request && *request);
        tickets.push_back((*request)->ticket);
    }
    front.reply(tickets[1], {true, "v"});
    EXPECT_EQ(front.take_output(), framed("cmd=kvs-get-response;thrid=2;rc=0;found=TRUE;value=v;"));
    front.reply(tickets[1], {true, "v"});
    EXPECT_EQ(front.take_output(), "");
    front.reply(tickets[2], {});
    front.reply(tickets[0], {true, "w"});
    EXPECT_EQ(front.take_output(),
              framed("cmd=kvs-fence-response;thrid=3;rc=0;") +
                  framed("cmd=info-getnodeattr-response;thrid=1;rc=0;found=TRUE;value=w;"));
}

TEST(Pmi2Front, says_what_is_wrong) {
    struct Row {
        const char* name;
        std::string bytes;
    };
    const Row rows[] = {
        {"no length", "cmd=kvs-fence;"},
        {"a length out of range", " 99999cmd="},
        {"an unknown command", framed("cmd=foo;")},
        {"no command", framed("key=a;")},
        {"no key", framed("cmd=kvs-put;value=a;")},
        {"no value", framed("cmd=kvs-put;key=a;")},
        {"no key to get", framed("cmd=kvs-get;")},
        {"no port", framed("cmd=name-publish;name=a;")},
        {"no name", framed("cmd=name-lookup;")},
        {"a strange source", framed("cmd=kvs-get;srcid=x;key=a;")},
        {"a strange exit code", framed("cmd=abort;exitcode=4294967296;")},
        {"a long thread", framed("cmd=kvs-fence;thrid=" + std::string(65, '1') + ";")},
    };
    for (const auto& row : rows) {
        Pmi2Front front = opened();
        expect_golden(row.name, cause_of(front, row.bytes));
    }
    Pmi2Front fresh(rank_facts());
    EXPECT_EQ(cause_of(fresh, "cmd=get_maxes\n"), "sent 'cmd=get_maxes' before init");
    Pmi2Front greeted(rank_facts());
    EXPECT_EQ(cause_of(greeted, init_line + framed("cmd=kvs-fence;")),
              "sent 'cmd=kvs-fence' before fullinit");
    Pmi2Front other(rank_facts());
    EXPECT_EQ(cause_of(other, "cmd=init pmi_version=1 pmi_subversion=1\n"), "");
    EXPECT_EQ(other.take_output(), "cmd=response_to_init pmi_version=2 pmi_subversion=0 rc=-1\n");
    Pmi2Front over = opened();
    over.feed(framed("cmd=finalize;"));
    ASSERT_TRUE(over.next());
    EXPECT_TRUE(over.finalized());
    EXPECT_FALSE(over.joined());
    EXPECT_EQ(cause_of(over, framed("cmd=kvs-fence;")), "sent 'cmd=kvs-fence' after finalize");
}

TEST(Pmi2Front, does_not_keep_what_nobody_waits_for) {
    Pmi2Front front = opened();
    const std::string fence = framed("cmd=kvs-fence;");
    std::string many;
    while (many.size() <= max_unread + pmi2_asked_max * fence.size())
        many += fence;
    front.feed(many);
    for (size_t i = 0; i < pmi2_asked_max; ++i) {
        const auto request = front.next();
        ASSERT_TRUE(request && *request) << i;
    }
    const auto last = front.next();
    ASSERT_FALSE(last);
    EXPECT_TRUE(last.error().cause.ends_with("without waiting for an answer"));
}

}  // namespace
}  // namespace launch
