// SPDX-License-Identifier: MIT
#include "modex/pmix/server/job_info.hpp"

#include <gtest/gtest.h>

namespace launch {
namespace {

/// Two programs over three hosts, dealt in turn: 0 2 | 1 | 3 4, of which this is the first.
PmixJob three_hosts() {
    return {.nspace = "job",
            .size = 5,
            .universe_size = 8,
            .node = 0,
            .hosts = {"a", "b", "c"},
            .ranks = {{{0, 2, 2}}, {{1, 1, 1}}, {{3, 2, 1}}},
            .programs = {{.first_rank = 0, .ranks = 2, .argv = {"master", "-v"}, .wdir = "/w"},
                         {.first_rank = 2, .ranks = 3, .argv = {"worker"}}},
            .folders = {"/f"}};
}

std::string text(const InfoList& infos, const char* key) {
    const auto* value = infos.find(key);
    if (value == nullptr) return "missing";
    switch (value->type) {
        case PMIX_STRING: return value->data.string;
        case PMIX_REGEX: return value->data.bo.bytes;
        case PMIX_BOOL: return value->data.flag ? "true" : "false";
        case PMIX_UINT16: return std::to_string(value->data.uint16);
        case PMIX_UINT32: return std::to_string(value->data.uint32);
        case PMIX_PROC_RANK: return std::to_string(value->data.rank);
        default: return "of another type";
    }
}

/// The arrays of a key, as lists that own nothing.
std::vector<std::pair<const pmix_info_t*, size_t>> arrays(InfoList& infos, const char* key) {
    std::vector<std::pair<const pmix_info_t*, size_t>> found;
    for (size_t i = 0; i < infos.size(); ++i) {
        const pmix_info_t& info = infos.data()[i];
        if (info.key != std::string_view(key)) continue;
        EXPECT_EQ(info.value.type, PMIX_DATA_ARRAY);
        const auto* array = info.value.data.darray;
        EXPECT_EQ(array->type, PMIX_INFO);
        found.emplace_back(static_cast<const pmix_info_t*>(array->array), array->size);
    }
    return found;
}

const pmix_value_t& value_in(std::pair<const pmix_info_t*, size_t> array, std::string_view key) {
    static const pmix_value_t none{};
    for (size_t i = 0; i < array.second; ++i) {
        if (key == array.first[i].key) return array.first[i].value;
    }
    ADD_FAILURE() << "no " << key;
    return none;
}

TEST(JobInfo, ListsHostsAndRanksInTheSameOrder) {
    EXPECT_EQ(node_list(three_hosts()), "a,b,c");
    EXPECT_EQ(rank_lists(three_hosts()), "0,2;1;3,4");
}

TEST(JobInfo, TellsOfTheJobAndThisNode) {
    const InfoList infos = job_info(three_hosts(), "nodes", "ranks");
    const std::vector<std::pair<const char*, const char*>> rows = {
        {PMIX_NODE_MAP, "nodes"},
        {PMIX_PROC_MAP, "ranks"},
        {PMIX_JOBID, "job"},
        {PMIX_JOB_SIZE, "5"},
        {PMIX_MAX_PROCS, "8"},
        {PMIX_UNIV_SIZE, "8"},
        {PMIX_NUM_NODES, "3"},
        {PMIX_JOB_NUM_APPS, "2"},
        {PMIX_LOCAL_SIZE, "2"},
        {PMIX_LOCAL_PEERS, "0,2"},
        {PMIX_LOCALLDR, "0"},
        {PMIX_HOSTNAME, "a"},
        {PMIX_NODEID, "0"},
        {PMIX_TMPDIR, "/f"},
        {PMIX_NSDIR, "/f/session"},
        {PMIX_TDIR_RMCLEAN, "true"},
        {"OMPI_APP_SIZES", "2 3"},
        {"OMPI_FIRST_RANKS", "0 2"},
        {PMIX_NODE_OVERSUBSCRIBED, "missing"}};
    for (const auto& [key, wanted] : rows)
        EXPECT_EQ(text(infos, key), wanted) << key;
}

TEST(JobInfo, TellsOfEachLocalRank) {
    InfoList infos = job_info(three_hosts(), "nodes", "ranks");
    const auto ranks = arrays(infos, PMIX_PROC_INFO_ARRAY);
    ASSERT_EQ(ranks.size(), 2u);
    EXPECT_EQ(ranks[1].first[0].key, std::string(PMIX_RANK)) << "what comes first says whose it is";
    EXPECT_EQ(value_in(ranks[1], PMIX_RANK).data.rank, 2u);
    EXPECT_EQ(value_in(ranks[1], PMIX_LOCAL_RANK).data.uint16, 1u);
    EXPECT_EQ(value_in(ranks[1], PMIX_NODE_RANK).data.uint16, 1u);
    EXPECT_EQ(value_in(ranks[1], PMIX_APPNUM).data.uint32, 1u) << "the first rank of the second";
    EXPECT_EQ(value_in(ranks[1], PMIX_APP_RANK).data.rank, 0u);
    EXPECT_EQ(value_in(ranks[1], PMIX_GLOBAL_RANK).data.rank, 2u);
    EXPECT_STREQ(value_in(ranks[1], PMIX_PROCDIR).data.string, "/f/session/2");
    EXPECT_EQ(value_in(ranks[0], PMIX_APPNUM).data.uint32, 0u);
}

TEST(JobInfo, TellsWhereRanksAreBound) {
    PmixJob job = three_hosts();
    job.bound.resize(2);
    job.bound[1].cpus.add(4);
    job.bound[1].locality = "SK1:CR4";
    InfoList infos = job_info(job, "nodes", "ranks");
    const auto ranks = arrays(infos, PMIX_PROC_INFO_ARRAY);
    ASSERT_EQ(ranks.size(), 2u);
    EXPECT_STREQ(value_in(ranks[1], PMIX_CPUSET).data.string, "4");
    EXPECT_STREQ(value_in(ranks[1], PMIX_LOCALITY_STRING).data.string, "SK1:CR4");
    for (size_t i = 0; i < ranks[0].second; ++i)
        EXPECT_STRNE(ranks[0].first[i].key, PMIX_CPUSET) << "that one is not bound";
}

TEST(JobInfo, TellsOfEachProgram) {
    InfoList infos = job_info(three_hosts(), "nodes", "ranks");
    const auto programs = arrays(infos, PMIX_APP_INFO_ARRAY);
    ASSERT_EQ(programs.size(), 2u);
    EXPECT_STREQ(value_in(programs[0], PMIX_APP_ARGV).data.string, "master -v");
    EXPECT_STREQ(value_in(programs[0], PMIX_WDIR).data.string, "/w");
    EXPECT_EQ(value_in(programs[1], PMIX_APPNUM).data.uint32, 1u);
    EXPECT_EQ(value_in(programs[1], PMIX_APP_SIZE).data.uint32, 3u);
    EXPECT_EQ(value_in(programs[1], PMIX_APPLDR).data.rank, 2u);
}

TEST(JobInfo, OversubscribedMeansMoreProcessesThanSlots) {
    PmixJob job = three_hosts();
    job.universe_size = 2;
    EXPECT_EQ(text(job_info(job, "", ""), PMIX_MAX_PROCS), "5");
}

TEST(JobInfo, MoreRanksThanProcessorsMakeOpenMpiYield) {
    PmixJob job = three_hosts();
    job.processors = 2;
    EXPECT_EQ(text(job_info(job, "", ""), PMIX_NODE_OVERSUBSCRIBED), "missing");
    job.processors = 1;
    EXPECT_EQ(text(job_info(job, "", ""), PMIX_NODE_OVERSUBSCRIBED), "true");
}

TEST(JobInfo, OneProgramNeedsNoListOfPrograms) {
    PmixJob job = three_hosts();
    job.programs.pop_back();
    EXPECT_EQ(text(job_info(job, "", ""), "OMPI_APP_SIZES"), "missing");
}

TEST(InfoList, KeepsWhatItsValuesPointToWhenItMoves) {
    InfoList from;
    from.add_string("key", "short");
    InfoList to = std::move(from);
    EXPECT_EQ(text(to, "key"), "short");
    EXPECT_EQ(text(to, "other"), "missing");
}

TEST(InfoList, CutsAKeyThatIsTooLong) {
    InfoList infos;
    infos.add_flag(std::string(1000, 'k'), true);
    EXPECT_EQ(std::string(infos.data()->key), std::string(PMIX_MAX_KEYLEN, 'k'));
}

TEST(InfoList, AFlagWithoutAValueIsSet) {
    InfoList infos;
    infos.add_flag("off", false);
    infos.add_string("on", "");
    EXPECT_FALSE(has_flag(infos.data(), infos.size(), "off"));
    EXPECT_TRUE(has_flag(infos.data(), infos.size(), "on"));
    EXPECT_FALSE(has_flag(infos.data(), infos.size(), "absent"));
}

}  // namespace
}  // namespace launch
