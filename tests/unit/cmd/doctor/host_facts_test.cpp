// SPDX-License-Identifier: MIT
#include "cmd/doctor/host_facts.hpp"

#include <gtest/gtest.h>

#include "cmd/doctor/look_at_host.hpp"

namespace launch {
namespace {

HostFacts sample() {
    HostFacts facts;
    facts.libc = "2.36";
    facts.is_root = true;
    facts.has_wdir = false;
    facts.files = {1024, 65536};
    facts.names = {{"n1", {"10.0.0.1", "fe80::1"}, {}}, {"n2", {}, "unknown"}};
    facts.folders = {{FolderFact::Use::memory, "/dev/shm", 5, true, "full"}};
    facts.libraries = {{"Open MPI", "4.1.4"}};
    facts.clock_us = 7;
    facts.took_us = 5;
    return facts;
}

TEST(HostFacts, come_back_as_they_were) {
    for (const auto& facts : {HostFacts{}, sample()}) {
        const auto back = read_facts(facts_text(facts));
        ASSERT_TRUE(back);
        EXPECT_EQ(facts_text(*back), facts_text(facts));
        EXPECT_EQ(back->names, facts.names);
        EXPECT_EQ(back->folders, facts.folders);
        EXPECT_EQ(back->libraries, facts.libraries);
        EXPECT_EQ(back->files.hard, facts.files.hard);
        EXPECT_EQ(back->took_us, facts.took_us);
    }
}

TEST(HostFacts, may_have_any_bytes_in_their_words) {
    HostFacts facts = sample();
    facts.folders[0].path = "/a\tb\nc\x01";
    const auto back = read_facts(facts_text(facts));
    ASSERT_TRUE(back);
    EXPECT_EQ(back->folders[0].path, "/a b c\x01");
}

TEST(HostFacts, are_refused_where_they_are_cut_or_something_else) {
    const std::string text = facts_text(sample());
    for (size_t size = 0; size < text.size(); ++size)
        EXPECT_FALSE(read_facts(text.substr(0, size))) << size;
    EXPECT_FALSE(read_facts("x" + text));
    EXPECT_FALSE(read_facts(text + "x\n"));
    for (const char* line : {"", "nofile\t1", "nofile\t1\t-1", "host\t2.36\t2\t0\t0", "name\ta\tb",
                             "folder\t3\t/tmp\t0\t0\t", "folder\t0\t/tmp\tx\t0\t", "clock\t1",
                             "library\ta", "future\t1"})
        EXPECT_FALSE(read_facts(std::string("launch-facts 1\n") + line + "\nend\n")) << line;
}

TEST(HostFacts, are_no_more_than_a_host_has_to_say) {
    std::string text = "launch-facts 1\n";
    for (int i = 0; i < 300; ++i)
        text += "library\ta\tb\n";
    EXPECT_FALSE(read_facts(text + "end\n"));
}

TEST(LookAtLibraries, reads_what_libraries_say_of_themselves) {
    struct Row {
        const char* said;
        LibraryFact fact;
    };
    const std::vector<Row> rows = {
        {"Open MPI v4.1.4, package: Debian OpenMPI, ident: 4.1.4", {"Open MPI", "4.1.4"}},
        {"MPICH Version:\t4.0.2", {"MPICH", "4.0.2"}},
        {"MVAPICH2 Version      :\t2.3.7", {"MVAPICH2", "2.3.7"}},
        {"Intel(R) MPI Library 2021.10 for Linux* OS", {"Intel(R) MPI", "2021.10"}},
        {"OpenPMIx 4.2.2rc2 (PMIx Standard: 4.2, Stable ABI: 0.0)", {"PMIx", "4.2.2rc2"}},
        {"Something", {"Something", "unknown"}},
    };
    for (const auto& row : rows)
        EXPECT_EQ(library_of(row.said), row.fact) << row.said;
}

}  // namespace
}  // namespace launch
