// SPDX-License-Identifier: MIT
#include "modex/pmix/usable_folder.hpp"

#include <gtest/gtest.h>

namespace launch {
namespace {

TEST(UsableFolder, skips_folders_that_hold_no_file) {
    const std::string good = testing::TempDir();
    const auto found = usable_folder({"/proc", "/no/such/folder", good});
    ASSERT_TRUE(found);
    EXPECT_EQ(*found, good);
}

TEST(UsableFolder, prefers_the_first) {
    const std::string good = testing::TempDir();
    const auto found = usable_folder({good, "/proc"});
    ASSERT_TRUE(found);
    EXPECT_EQ(*found, good);
}

TEST(UsableFolder, says_of_each_why_it_cannot_be_used) {
    const auto found = usable_folder({"/no/such/folder", "/dev/null"});
    ASSERT_FALSE(found);
    EXPECT_EQ(found.error().operation, "offer PMIx");
    EXPECT_NE(found.error().cause.find("/no/such/folder: No such file or directory"),
              std::string::npos)
        << found.error().cause;
    EXPECT_NE(found.error().cause.find("/dev/null: Not a directory"), std::string::npos)
        << found.error().cause;
}

}  // namespace
}  // namespace launch
