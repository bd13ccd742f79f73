// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include "cmd/render/dry_run.hpp"
#include "tests/unit/cmd/words.hpp"
#include "tests/unit/modex/detect/fake_files.hpp"

namespace launch {
namespace {

using Words = std::vector<std::string>;

TEST(OfferText, SaysWhatAndWhy) {
    const PmiNeeds openmpi{.pmi = false, .pmix = true, .library = "libmpi.so.40", .program = "/a"};
    struct {
        PmiChoice choice;
        PmiNeeds needs;
        const char* text;
    } rows[] = {
        {PmiChoice::pmi1, openmpi, "PMI-1, as asked"},
        {PmiChoice::pmi1_port, openmpi, "PMI-1 by a local port, as asked"},
        {PmiChoice::pmi2, openmpi, "PMI-2, as asked"},
        {PmiChoice::pmix, {}, "PMIx, as asked"},
        {PmiChoice::none, openmpi, "nothing, as asked"},
        {PmiChoice::automatic, openmpi, "PMIx: /a links libmpi.so.40"},
        {PmiChoice::automatic,
         {true, false, "libmpich.so.12", "/a b"},
         "PMI-1 and PMI-2: \"/a b\" links libmpich.so.12"},
        {PmiChoice::automatic,
         {true, true, "libmpich.so.12", "/a"},
         "PMI-1, PMI-2 and PMIx: /a links libmpich.so.12"},
        {PmiChoice::automatic, {true, false, "", ""}, "PMI-1 and PMI-2: no MPI library is found"},
    };
    for (const auto& row : rows)
        EXPECT_EQ(offer_text(row.choice, row.needs), row.text);
}

TEST(OfferText, LooksWhereTheRanksWould) {
    FakeFiles files;
    files.add("/here/app", ElfImage{.needed = {"libmpi.so.40"}}.bytes());
    files.add("/there/app", ElfImage{.needed = {"libmpich.so.12"}}.bytes());
    files.add("/opt/tool", ElfImage{.needed = {"libmpich.so.12"}}.bytes());
    auto plan = plan_of("-n 1 ./app : -n 1 -wdir /there ./app : -n 1 -env PATH /opt tool");
    EXPECT_EQ(offer_texts(plan, files), (Words{"PMIx: /here/app links libmpi.so.40",
                                               "PMI-1 and PMI-2: /there/app links libmpich.so.12",
                                               "PMI-1 and PMI-2: /opt/tool links libmpich.so.12"}));
    plan.spec.policies.pmi = PmiChoice::none;
    EXPECT_EQ(offer_texts(plan, files), Words(3, "nothing, as asked"));
}

}  // namespace
}  // namespace launch
