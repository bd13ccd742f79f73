// SPDX-License-Identifier: MIT
#include "core/job/rendezvous_env.hpp"

#include <gtest/gtest.h>

#include "core/base/environment.hpp"

namespace launch {
namespace {

RankIdentity third_of_four() {
    RankIdentity id;
    id.rank = 2;
    id.size = 4;
    id.local_rank = 0;
    id.local_size = 2;
    id.host_rank = HostRank{1};
    id.nodes = 2;
    id.hosts.first = "node001";
    id.job_id = "j1";
    return id;
}

TEST(RendezvousEnv, tells_a_rank_where_to_meet_and_who_it_is) {
    std::vector<std::string> env = {"MASTER_PORT=1", "PATH=/bin"};
    add_rendezvous(env, RendezvousChoice::env, third_of_four(), 29'500);
    const std::vector<std::string> expected = {
        "PATH=/bin",    "MASTER_ADDR=node001", "MASTER_PORT=29500", "RANK=2",     "WORLD_SIZE=4",
        "LOCAL_RANK=0", "LOCAL_WORLD_SIZE=2",  "GROUP_RANK=1",      "NODE_RANK=1"};
    EXPECT_EQ(env, expected);
}

TEST(RendezvousEnv, for_torch_sets_what_torchrun_sets_besides) {
    std::vector<std::string> env;
    add_rendezvous(env, RendezvousChoice::torch, third_of_four(), 29'500);
    EXPECT_EQ(env_value(env, "GROUP_WORLD_SIZE"), "2");
    EXPECT_EQ(env_value(env, "ROLE_RANK"), "2");
    EXPECT_EQ(env_value(env, "TORCHELASTIC_RUN_ID"), "j1");
    EXPECT_EQ(env_value(env, "MASTER_ADDR"), "node001");
}

TEST(RendezvousEnv, names_an_interface_where_the_user_names_none) {
    std::vector<std::string> env{"GLOO_SOCKET_IFNAME=ib0"};
    add_interface(env, "eth1");
    EXPECT_EQ(env, (std::vector<std::string>{"GLOO_SOCKET_IFNAME=ib0", "NCCL_SOCKET_IFNAME==eth1",
                                             "TP_SOCKET_IFNAME=eth1"}));
}

TEST(RendezvousEnv, is_empty_unless_asked_for) {
    std::vector<std::string> env;
    add_rendezvous(env, RendezvousChoice::none, third_of_four(), 29'500);
    EXPECT_TRUE(env.empty());
}

}  // namespace
}  // namespace launch
