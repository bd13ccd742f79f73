// SPDX-License-Identifier: MIT
#include "modex/detect/elf_file.hpp"

#include <gtest/gtest.h>

#include "tests/unit/modex/detect/fake_files.hpp"

namespace launch {
namespace {

using Words = std::vector<std::string>;

std::optional<ElfFile> read(const std::string& bytes) {
    FakeFiles files;
    files.add("f", bytes);
    return read_elf(*files.open("f"));
}

TEST(ElfFile, SaysWhatItNeeds) {
    for (const bool is_64 : {true, false}) {
        const ElfImage image{.needed = {"libmpi.so.40", "libc.so.6"},
                             .rpath = "/a:/b",
                             .runpath = "$ORIGIN/../lib",
                             .is_64 = is_64};
        const auto elf = read(image.bytes());
        ASSERT_TRUE(elf) << is_64;
        EXPECT_EQ(elf->needed, (Words{"libmpi.so.40", "libc.so.6"}));
        EXPECT_EQ(elf->rpath, "/a:/b");
        EXPECT_EQ(elf->runpath, "$ORIGIN/../lib");
        EXPECT_EQ(elf->is_64, is_64);
        EXPECT_EQ(elf->machine, 62);
    }
}

TEST(ElfFile, NamesItsSymbolsAndLibraries) {
    for (const bool is_64 : {true, false}) {
        const ElfImage image{
            .needed = {"libc.so.6"}, .symbols = {"MPI_Init", "MPII_x"}, .is_64 = is_64};
        FakeFiles files;
        files.add("f", image.bytes());
        files.add("text", "#!/bin/sh\n");
        const std::string names("\0libc.so.6\0MPI_Init\0MPII_x\0", 27);
        EXPECT_EQ(read_dynamic_names(*files.open("f")), names) << is_64;
        EXPECT_EQ(read_dynamic_names(*files.open("text")), "");
    }
}

TEST(ElfFile, IsNothingElse) {
    const std::string good = ElfImage{.needed = {"libc.so.6"}}.bytes();
    std::string object = good;
    object[16] = 1;
    std::string big_endian = good;
    big_endian[5] = 2;
    for (const auto& bytes :
         {std::string(), std::string("#!/bin/sh\n"), std::string("\177ELF"), object, big_endian})
        EXPECT_FALSE(read(bytes));
}

TEST(ElfFile, SurvivesWhatIsCutOrChanged) {
    const std::string good = ElfImage{.needed = {"libmpi.so.40"}, .runpath = "/r"}.bytes();
    for (std::size_t size = 0; size < good.size(); ++size) {
        FakeFiles files;
        files.add("f", good.substr(0, size));
        read_elf(*files.open("f"));
        EXPECT_LE(read_dynamic_names(*files.open("f")).size(), size);
    }
    for (std::size_t at = 0; at < good.size(); ++at) {
        for (const char c : {'\0', '\1', '\177', '\377'}) {
            std::string bad = good;
            bad[at] = c;
            const auto elf = read(bad);
            EXPECT_TRUE(!elf || elf->needed.size() <= 256) << at;
        }
    }
}

TEST(ElfFile, LeavesOutNamesWithoutEnd) {
    EXPECT_EQ(read(ElfImage{.needed = {std::string(300, 'x'), "libc.so.6"}}.bytes())->needed,
              Words{"libc.so.6"});
    std::string cut = ElfImage{.needed = {"liba.so", "libb.so"}}.bytes();
    cut.pop_back();
    EXPECT_EQ(read(cut)->needed, Words{"liba.so"});
}

}  // namespace
}  // namespace launch
