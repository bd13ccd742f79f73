// SPDX-License-Identifier: MIT
#include "topologies/registry.hpp"

#include <gtest/gtest.h>

#include "tests/unit/golden.hpp"

namespace launch {
namespace {

constexpr NodeIndex nodes = 901;

struct Asked {
    const char* name;
    uint32_t degree;
    const char* made;
    const char* reason;
};

TEST(Registry, MakesWhatIsAsked) {
    const Asked rows[] = {
        {"flat", 0, "flat", "flat: as asked"},
        {"chain", 0, "chain", "chain: as asked"},
        {"hypercube", 0, "hypercube", "hypercube: as asked"},
        {"binomial", 0, "binomial", "binomial: as asked"},
        {"kary", 0, "kary:32", "kary:32: the default degree"},
        {"kary", 7, "kary:7", "kary:7: as asked"},
        {"kary:8", 0, "kary:8", "kary:8: as asked"},
        {"kary:8", 8, "kary:8", "kary:8: as asked"},
        {"kary:1", 0, "chain", "chain: as asked"},
        {"", 32, "kary:32", "kary:32: as asked"},
    };
    for (const Asked& row : rows) {
        std::string reason;
        const auto made = make_topology(row.name, row.degree, nodes, &reason);
        ASSERT_TRUE(made) << row.name << " " << describe(made.error());
        EXPECT_EQ((*made)->name(), row.made) << row.name;
        EXPECT_EQ(reason, row.reason) << row.name;
    }
}

TEST(Registry, ChoosesByItselfWhereNothingIsAsked) {
    for (const char* name : {"", "auto"}) {
        std::string reason;
        const auto made = make_topology(name, 0, nodes, &reason);
        ASSERT_TRUE(made);
        EXPECT_TRUE(reason.starts_with("auto: 900 hosts: " + (*made)->name())) << reason;
    }
}

struct Refused {
    const char* name;
    uint32_t degree;
};

TEST(Registry, RefusesWhatMakesNoSense) {
    const Refused rows[] = {
        {"star", 0},   {":8", 0},         {"st\nar", 0},  {"flat", 4},
        {"chain", 4},  {"binomial:2", 0}, {"auto", 4},    {"kary:", 0},
        {"kary:0", 0}, {"kary:-1", 0},    {"kary:8x", 0}, {"kary:99999999999", 0},
        {"kary:8", 9},
    };
    for (const Refused& row : rows) {
        const auto made = make_topology(row.name, row.degree, nodes, nullptr);
        ASSERT_FALSE(made) << row.name;
        EXPECT_EQ(made.error().kind, ErrorKind::usage) << row.name;
        expect_golden(row.name + std::string(", degree ") + std::to_string(row.degree),
                      describe(made.error()));
    }
}

TEST(Registry, MakesEveryNameItShows) {
    for (const TopologyInfo& info : known_topologies()) {
        EXPECT_TRUE(make_topology(info.name, 0, nodes, nullptr)) << info.name;
        EXPECT_FALSE(info.help.empty()) << info.name;
    }
}

}  // namespace
}  // namespace launch
