// SPDX-License-Identifier: MIT
#include "core/head/spawn_spec.hpp"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>

#include "core/hosts/hostlist.hpp"
#include "core/job/deal.hpp"
#include "tests/unit/golden.hpp"

namespace launch {
namespace {

JobSpec asker() {
    JobSpec spec;
    spec.wdir = "/home/me";
    spec.env = {"PATH=/bin"};
    spec.ppn = 4;
    spec.spares = 1;
    spec.timeout = milliseconds{5};
    spec.policies.start_early = true;
    return spec;
}

SpawnOrder order_with(SpawnPairs info) {
    return {{{{"a", "b"}, 2, {"X=1"}, std::move(info)}}, {}};
}

TEST(SpawnSpec, is_the_askers_job_with_other_programs) {
    const auto made = spawn_spec(asker(), order_with({}));
    ASSERT_TRUE(made);
    const JobSpec& spec = made->spec;
    ASSERT_EQ(spec.programs.size(), 1U);
    EXPECT_EQ(spec.programs[0], (Program{{"a", "b"}, 2, {"X=1"}, "", {}}));
    EXPECT_EQ(spec.wdir, "/home/me");
    EXPECT_EQ(spec.policies.stdin_target.kind, StdinTarget::Kind::none);
    EXPECT_EQ(spec.ppn, 0U);
    EXPECT_EQ(spec.spares, 0U);
    EXPECT_EQ(spec.timeout.count(), 0);
    EXPECT_FALSE(spec.policies.start_early);
    EXPECT_EQ(made->hosts, std::vector<std::vector<Host>>(1));
}

TEST(SpawnSpec, heeds_info_keys) {
    const auto made = spawn_spec(asker(), order_with({{"wdir", "sub"},
                                                      {"path", "/opt/bin"},
                                                      {"env", "A=b c\nnothing\nB=2"},
                                                      {"host", "n1,n2:3,n1"},
                                                      {"map_by", "node:oversubscribe"},
                                                      {"soft", "1:4"}}));
    ASSERT_TRUE(made);
    EXPECT_EQ(
        made->spec.programs[0],
        (Program{
            {"a", "b"}, 2, {"X=1", "PATH=/opt/bin:/bin", "A=b c", "B=2"}, "/home/me/sub", {}}));
    ASSERT_EQ(made->hosts[0].size(), 2U);
    EXPECT_EQ(made->hosts[0][1].name, "n2");
    EXPECT_EQ(made->spec.mapping, Mapping::cyclic);
    EXPECT_TRUE(made->may_crowd);
    for (const SpawnPairs& per_host : {SpawnPairs{{"map_by", "ppr:3:node"}},
                                       {{"ppr", "3:node"}},
                                       {{"npernode", "3"}},
                                       {{"ppr", "3:n"}}}) {
        const auto each = spawn_spec(asker(), order_with(per_host));
        ASSERT_TRUE(each);
        EXPECT_EQ(each->spec.ppn, 3U);
    }
}

struct MapByRow {
    const char* map_by;
    Mapping mapping;
    uint32_t ppn;
    bool may_crowd;
};

TEST(SpawnSpec, reads_what_follows_map_by) {
    const std::vector<MapByRow> rows = {
        {"slot", Mapping::block, 0, false},
        {"NODE", Mapping::cyclic, 0, false},
        {"slot:oversubscribe", Mapping::block, 0, true},
        {"slot:OVERSUBSCRIBE:NOLOCAL", Mapping::block, 0, true},
        {"node:pe=2,oversubscribe", Mapping::cyclic, 0, true},
        {"slot:nooversubscribe", Mapping::block, 0, false},
        {"ppr:2:node", Mapping::block, 2, false},
        {"ppr:2:node:oversubscribe", Mapping::block, 2, true},
        {"ppr:2:node:pe=2", Mapping::block, 2, false},
        {"", Mapping::block, 0, false},
    };
    for (const MapByRow& row : rows) {
        const auto made = spawn_spec(asker(), order_with({{"map_by", row.map_by}}));
        ASSERT_TRUE(made) << row.map_by;
        EXPECT_EQ(made->spec.mapping, row.mapping) << row.map_by;
        EXPECT_EQ(made->spec.ppn, row.ppn) << row.map_by;
        EXPECT_EQ(made->may_crowd, row.may_crowd) << row.map_by;
    }
    EXPECT_FALSE(spawn_spec(asker(), order_with({{"map_by", "ppr:2:socket:oversubscribe"}})));
    EXPECT_FALSE(spawn_spec(asker(), order_with({{"map_by", "ppr"}})));
}

/// By the key of either name, in a list and in a file, whose place may be below the job's folder.
TEST(SpawnSpec, goes_to_hosts_that_are_named) {
    char folder[] = "/tmp/launch-spawn-XXXXXX";
    ASSERT_NE(mkdtemp(folder), nullptr);
    const std::string path = std::string(folder) + "/some";
    std::ofstream(path) << "# of a cluster\nn1 slots=2\nme@n2\n";
    JobSpec below = asker();
    below.wdir = folder;
    const auto wanted = *parse_hosts("n1:2,me@n2");
    for (const SpawnPairs& named : {SpawnPairs{{"host", "n1:2,me@n2"}},
                                    {{"hosts", "n1:2,me@n2"}},
                                    {{"hostfile", path}},
                                    {{"hostfile", "some"}},
                                    {{"host", "n1:2"}, {"hostfile", path}}}) {
        const auto made = spawn_spec(below, order_with(named));
        ASSERT_TRUE(made) << named.front().second;
        EXPECT_EQ(made->hosts.at(0).size(), 2U) << named.front().second;
        EXPECT_EQ(made->hosts[0].back(), wanted[1]) << named.front().second;
        EXPECT_TRUE(made->added.empty());
    }
    std::filesystem::remove_all(folder);
}

/// Those of the job, and those that the program of who asks was given on top of them.
TEST(SpawnSpec, changes_single_variables) {
    using Words = std::vector<std::string>;
    JobSpec with_more = asker();
    with_more.env = {"PATH=/bin", "GONE=x"};
    const Words given{"LIST=middle", "ALSO=x", "X=0"};
    const auto made = spawn_spec(with_more,
                                 order_with({{"prepend-env", ":PATH=/opt"},
                                             {"append-env", ":LIST=last"},
                                             {"unset-env", "GONE"},
                                             {"unset-env", "ALSO"}}),
                                 given);
    ASSERT_TRUE(made);
    EXPECT_EQ(made->spec.env, Words{"PATH=/bin"});
    EXPECT_EQ(made->spec.programs[0].env,
              (Words{"LIST=middle", "X=0", "X=1", "PATH=/opt:/bin", "LIST=middle:last"}));
    const auto found =
        spawn_spec(with_more, order_with({{"path", "/opt"}}), Words{"PATH=/given:/bin"});
    ASSERT_TRUE(found);
    EXPECT_EQ(found->spec.programs[0].env.back(), "PATH=/opt:/given:/bin");
}

TEST(SpawnSpec, goes_to_hosts_that_are_added_too) {
    SpawnOrder order = order_with({{"add-host", "n3:2,n4"}, {"host", "n1"}});
    order.programs.push_back(order.programs[0]);
    order.programs[1].info = {{"add_host", "n3:2"}};
    const auto made = spawn_spec(asker(), order);
    ASSERT_TRUE(made);
    EXPECT_EQ(made->hosts[0], *parse_hosts("n1 n3:2 n4"));
    EXPECT_EQ(made->hosts[1], *parse_hosts("n3:2"));
    ASSERT_EQ(made->added.size(), 2U);
    EXPECT_EQ(made->added[1], (*parse_hosts("n4"))[0]);
    EXPECT_FALSE(spawn_spec(asker(), order_with({{"add-hostfile", "/no/such"}})));
}

TEST(SpawnSpec, says_what_is_wrong) {
    struct Row {
        SpawnOrder order;
        const char* cause;
    };
    SpawnOrder none = order_with({});
    none.programs[0].ranks = 0;
    SpawnOrder many = order_with({});
    many.programs.resize(2, many.programs[0]);
    for (auto& program : many.programs)
        program.ranks = UINT32_MAX;
    const Row rows[] = {
        {none, "0 processes"},
        {many, "8589934590 processes"},
        {order_with({{"ppn", "x"}}), "ppn=x"},
        {order_with({{"map_by", "ppr:2:socket"}}), "map_by=2:socket"},
        {order_with({{"ppn", "0"}}), "ppn=0"},
    };
    for (const auto& row : rows) {
        const auto made = spawn_spec(asker(), row.order);
        ASSERT_FALSE(made) << row.cause;
        expect_told({row.cause}, made.error().cause);
        EXPECT_EQ(made.error().kind, ErrorKind::usage);
    }
    EXPECT_FALSE(spawn_spec(asker(), order_with({{"hostfile", "/no/such"}})));
    EXPECT_FALSE(spawn_spec(asker(), order_with({{"host", "n[1"}})));
}

TEST(SpawnChoices, are_places_among_the_hosts_that_run) {
    const auto offered = *parse_hosts("n1 me@n2 n3 localhost");
    const std::vector<std::vector<Host>> wanted = {
        {}, *parse_hosts("n3 n1 n3"), *parse_hosts("n2"), *parse_hosts("here")};
    const auto choices = spawn_choices(wanted, offered, "here");
    ASSERT_TRUE(choices);
    using Places = std::vector<uint32_t>;
    EXPECT_EQ(*choices, (std::vector<HostChoice>{{}, Places{2, 0}, Places{1}, Places{3}}));
    const auto unknown = spawn_choices({*parse_hosts("n7,n8,you@n2")}, offered, {});
    ASSERT_FALSE(unknown);
    expect_told({"n[7-8],you@n2: ", "n1,me@n2,n3,localhost"}, unknown.error().cause);
}

struct Crowd {
    const char* name;
    uint32_t processes;
    SpawnPairs info;
    std::vector<uint32_t> used;  ///< of n1:2 and n2:1
    const char* objection;       ///< null: they fit
};

TEST(SpawnSpec, hosts_get_no_more_processes_than_free_slots) {
    const std::vector<Crowd> all = {
        {"as many", 3, {{"add-host", "n1:2,n2"}}, {}, nullptr},
        {"more",
         5,
         {{"add-host", "n1:2,n2"}},
         {},
         "n[1-2]: spawn: too few slots are free: 3 slots for 5 processes (add-host HOST:SLOTS"},
        {"others are there",
         3,
         {{"add-host", "n1:2,n2"}},
         {1, 1},
         "too few slots are free: 1 slot for 3"},
        {"it is allowed",
         5,
         {{"add-host", "n1:2,n2"}, {"map_by", "slot:OVERSUBSCRIBE"}},
         {},
         nullptr},
        {"so many on each", 2, {{"add-host", "n1:2,n2"}, {"ppn", "1"}}, {}, nullptr},
        {"too many on each", 4, {{"add-host", "n1:2,n2"}, {"ppn", "2"}}, {}, "3 slots for 4"},
        {"too many on each, as allowed", 4, {{"map_by", "ppr:2:node:oversubscribe"}}, {}, nullptr},
        {"none is added",
         5,
         {},
         {},
         "n[1-2]: spawn: too few slots are free: 3 slots for 5 processes (-hosts HOST:SLOTS"},
        {"on a host of one's own choice", 2, {{"host", "n2"}}, {}, "n2: spawn: too few slots"},
        {"on the others", 2, {{"host", "n1"}}, {0, 1}, nullptr},
    };
    const auto hosts = *parse_hosts("n1:2,n2");
    for (const Crowd& each : all) {
        auto order = order_with(each.info);
        order.programs[0].ranks = each.processes;
        const auto made = spawn_spec(asker(), order);
        ASSERT_TRUE(made) << each.name;
        const auto& spec = made->spec;
        const auto choices = spawn_choices(made->hosts, hosts, {});
        ASSERT_TRUE(choices) << each.name;
        const auto deal = deal_ranks(spec, asked_ranks(spec.programs), hosts, *choices, each.used);
        ASSERT_TRUE(deal) << each.name;
        const auto fits = keep_to_slots(*made, {deal->placement, hosts, *choices, each.used});
        EXPECT_EQ(static_cast<bool>(fits), each.objection == nullptr) << each.name;
        if (!fits && each.objection != nullptr) {
            EXPECT_EQ(fits.error().kind, ErrorKind::usage) << each.name;
            EXPECT_NE(describe(fits.error()).find(each.objection), std::string::npos)
                << describe(fits.error());
        }
    }
}

/// Processes on a host of the job, which has two slots, beside those on one that is added.
Status fit_beside(uint32_t on_own, uint32_t on_added) {
    SpawnOrder order = order_with({{"host", "n1"}});
    order.programs.push_back(order.programs[0]);
    order.programs[1].info = {{"add-host", "n2"}};
    order.programs[0].ranks = on_own;
    order.programs[1].ranks = on_added;
    const auto made = spawn_spec(asker(), order);
    const auto hosts = *parse_hosts("n1:2,n2");
    const auto choices = spawn_choices(made->hosts, hosts, {});
    const JobSpec& spec = made->spec;
    const auto deal = deal_ranks(spec, asked_ranks(spec.programs), hosts, *choices, {});
    return keep_to_slots(*made, {deal->placement, hosts, *choices, {}});
}

TEST(SpawnSpec, each_program_keeps_to_the_slots_of_its_own_hosts) {
    EXPECT_TRUE(fit_beside(2, 1));
    const auto added = fit_beside(1, 2);
    ASSERT_FALSE(added);
    EXPECT_EQ(added.error().host, "n2") << "n1 has a slot that this program may not have";
    EXPECT_NE(added.error().cause.find("1 slot for 2 processes"), std::string::npos);
    const auto own = fit_beside(5, 1);
    ASSERT_FALSE(own);
    EXPECT_NE(own.error().cause.find("3 slots for 6 processes"), std::string::npos);
}

}  // namespace
}  // namespace launch
