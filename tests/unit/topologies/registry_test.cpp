// SPDX-License-Identifier: MIT
#include "topologies/registry.hpp"

#include <gtest/gtest.h>

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
        {"kary", 0, "kary:32", "kary:32: the degree where none is given"},
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
    const char* message;
};

TEST(Registry, RefusesWhatMakesNoSense) {
    const Refused rows[] = {
        {"star", 0,
         "choose the topology: there is no topology 'star' (known: auto, kary, flat, binomial, "
         "chain, hypercube)"},
        {":8", 0,
         "choose the topology: there is no topology ':8' (known: auto, kary, flat, binomial, "
         "chain, hypercube)"},
        {"st\nar", 0,
         "choose the topology: there is no topology 'st?ar' (known: auto, kary, flat, binomial, "
         "chain, hypercube)"},
        {"flat", 4, "choose the topology: flat takes no degree (only kary does: kary:K)"},
        {"chain", 4, "choose the topology: chain takes no degree (only kary does: kary:K)"},
        {"binomial:2", 0, "choose the topology: binomial takes no degree (only kary does: kary:K)"},
        {"auto", 4, "choose the topology: auto takes no degree (only kary does: kary:K)"},
        {"kary:", 0, "choose the topology: '' is not a degree (say kary:K with K at least 1)"},
        {"kary:0", 0, "choose the topology: '0' is not a degree (say kary:K with K at least 1)"},
        {"kary:-1", 0, "choose the topology: '-1' is not a degree (say kary:K with K at least 1)"},
        {"kary:8x", 0, "choose the topology: '8x' is not a degree (say kary:K with K at least 1)"},
        {"kary:99999999999", 0,
         "choose the topology: '99999999999' is not a degree (say kary:K with K at least 1)"},
        {"kary:8", 9,
         "choose the topology: kary:8 and degree 9 contradict each other (give one of them)"},
    };
    for (const Refused& row : rows) {
        const auto made = make_topology(row.name, row.degree, nodes, nullptr);
        ASSERT_FALSE(made) << row.name;
        EXPECT_EQ(made.error().kind, ErrorKind::usage) << row.name;
        EXPECT_EQ(describe(made.error()), row.message) << row.name;
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
