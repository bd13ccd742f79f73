// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include "modex/pmi1/pmi1_front.hpp"
#include "tests/unit/modex/pmi/opened_front.hpp"

namespace launch {
namespace {

using Kind = Request::Kind;
using Order = SpawnOrder::Kind;

constexpr const char* init_line = "cmd=init pmi_version=1 pmi_subversion=1\n";

Request asked(Pmi1Front& front, const std::string& line) {
    front.feed(line + "\n");
    auto next = front.next();
    EXPECT_TRUE(next && next->has_value()) << line;
    return next && *next ? **next : Request{};
}

TEST(OwnCommands, ask_the_head_for_hosts_and_events) {
    auto front = front_after<Pmi1Front>(init_line);
    auto request = asked(front, "cmd=launch_grow hosts=node[001-003]:2 me@n4");
    EXPECT_EQ(request.kind, Kind::ask_head);
    EXPECT_EQ(request.spawn.kind, Order::grow);
    EXPECT_EQ(request.spawn.hosts, "node[001-003]:2 me@n4");
    front.reply(request.ticket, {});
    EXPECT_EQ(front.take_output(), "cmd=launch_result rc=0 \n");
    request = asked(front, "cmd=launch_release hosts=n1");
    EXPECT_EQ(request.spawn.kind, Order::release);
    front.reply(request.ticket, {false, "n1: is\nbusy"});
    EXPECT_EQ(front.take_output(), "cmd=launch_result rc=-1 msg=n1: is\\nbusy\n");
    request = asked(front, "cmd=launch_event since=7 wait=250");
    EXPECT_EQ(request.spawn.kind, Order::event);
    EXPECT_EQ(request.spawn.since, 7U);
    EXPECT_EQ(request.spawn.wait_ms, 250U);
    front.reply(request.ticket, {true, "number=8 kind=x"});
    EXPECT_EQ(front.take_output(), "cmd=launch_result rc=0 number=8 kind=x\n");
    request = asked(front, "cmd=launch_event since=8 wait=-1");
    EXPECT_EQ(request.spawn.wait_ms, SpawnOrder::until_it_comes);
}

TEST(OwnCommands, find_what_others_have) {
    auto front = front_after<Pmi1Front>(init_line);
    auto request = asked(front, "cmd=launch_lookup wait=50 service=a b=c");
    EXPECT_EQ(request.kind, Kind::lookup);
    EXPECT_EQ(request.key, "a b=c");
    EXPECT_EQ(request.number, 50);
    EXPECT_TRUE(request.wait);
    front.reply(request.ticket, {true, "port"});
    EXPECT_EQ(front.take_output(), "cmd=lookup_result info=ok rc=0 msg=success port=port\n");
    request = asked(front, "cmd=launch_get space=job.1 rank=3 key=3.card");
    EXPECT_EQ(request.kind, Kind::get_of);
    EXPECT_EQ(request.value, "job.1");
    EXPECT_EQ(request.number, 3);
    EXPECT_EQ(request.key, "3.card");
    front.reply(request.ticket, {true, "value"});
    EXPECT_EQ(front.take_output(), "cmd=get_result rc=0 msg=success value=value\n");
}

TEST(OwnCommands, that_lack_something_are_none) {
    for (const char* line :
         {"grow", "grow hosts=", "release host=n", "event wait=1", "event since=1",
          "event since=1 wait=-2", "event since=x wait=1", "lookup wait=1", "lookup service=a",
          "lookup wait=x service=a", "get space= rank=1 key=k", "get rank=1 key=k",
          "get space=s rank=-1 key=k", "get space=s rank=1", "unknown"}) {
        auto front = front_after<Pmi1Front>(init_line);
        front.feed(std::string("cmd=launch_") + line + "\n");
        EXPECT_FALSE(front.next()) << line;
    }
}

}  // namespace
}  // namespace launch
