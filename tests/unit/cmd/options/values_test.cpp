// SPDX-License-Identifier: MIT
#include "cmd/options/values.hpp"

#include <gtest/gtest.h>

#include "cmd/options/place_values.hpp"

namespace launch {
namespace {

TEST(Values, Durations) {
    constexpr int64_t refused = -1;
    struct {
        const char* text;
        int64_t milliseconds;
    } rows[] = {
        {"10", 10'000},     {"0", 0},         {"1.5s", 1500},
        {"200ms", 200},     {"2m", 120'000},  {"1h", 3600'000},
        {"0.0001s", 1},     {".5", 500},      {"8760h", 31'536'000'000},
        {"8761h", refused}, {"", refused},    {"s", refused},
        {"-1", refused},    {"-0", refused},  {"1d", refused},
        {"1 s", refused},   {" 1", refused},  {"+1", refused},
        {"1e3", refused},   {"inf", refused}, {"nan", refused},
        {"0x10", refused},  {"1S", refused},
    };
    for (const auto& row : rows) {
        milliseconds made{refused};
        const auto objection = read_duration(row.text, made);
        EXPECT_EQ(objection.empty(), row.milliseconds != refused) << row.text;
        if (row.milliseconds != refused) {
            EXPECT_EQ(made.count(), row.milliseconds) << row.text;
        }
    }
}

TEST(Values, Mappings) {
    struct {
        const char* text;
        Mapping mapping;
    } rows[] = {
        {"block", Mapping::block}, {"slot", Mapping::block},  {"cyclic", Mapping::cyclic},
        {"node", Mapping::cyclic}, {"host", Mapping::cyclic},
    };
    for (const auto& row : rows) {
        MapBy made;
        EXPECT_EQ(read_map_by(row.text, made), "") << row.text;
        EXPECT_EQ(made.hosts, row.mapping) << row.text;
    }
}

TEST(Values, StdinTargets) {
    struct {
        const char* text;
        StdinTarget target;
    } rows[] = {
        {"all", {StdinTarget::Kind::all, 0}},
        {"none", {StdinTarget::Kind::none, 0}},
        {"0", {StdinTarget::Kind::rank, 0}},
        {"17", {StdinTarget::Kind::rank, 17}},
    };
    for (const auto& row : rows) {
        StdinTarget made;
        EXPECT_EQ(read_stdin_target(row.text, made), "") << row.text;
        EXPECT_EQ(made, row.target) << row.text;
    }
}

TEST(Values, ResourcesAreAllNoneOrNames) {
    const auto stack = Resources().set(static_cast<size_t>(Resource::stack));
    struct {
        const char* text;
        Resources resources;
    } rows[] = {{"all", Resources().set()},
                {"none", {}},
                {"stack", stack},
                {"stack,stack", stack},
                {"core,stack", Resources(stack).set(static_cast<size_t>(Resource::core_file))}};
    for (const auto& row : rows) {
        Resources resources = Resources().set();
        EXPECT_EQ(read_resources(row.text, resources), "") << row.text;
        EXPECT_EQ(resources, row.resources) << row.text;
    }
    for (const char* text : {"", "stack,", ",stack", "all,stack", "Stack", "files"}) {
        Resources resources;
        EXPECT_EQ(read_resources(text, resources).rfind("neither all nor none, and not one of ", 0),
                  0U)
            << text;
    }
}

}  // namespace
}  // namespace launch
