// SPDX-License-Identifier: MIT
#include "core/stage/place.hpp"

#include <cstdlib>
#include <filesystem>
#include <gtest/gtest.h>
#include <memory>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/unit/temporary_folder.hpp"

namespace launch {
namespace {

/// Of a job with one file for the folder of each node.
StageSpec one_file() {
    StageSpec spec;
    spec.token = "place-test-" + std::to_string(getpid());
    spec.files = {{"/src", "file", 0, 0640}};
    return spec;
}

TEST(StagePlace, EachRelayOfANodeHasAFolderOfItsOwn) {
    const auto earlier_list = std::make_unique<RemovalList>();
    const auto later_list = std::make_unique<RemovalList>();
    StagePlace earlier(one_file(), {3}, earlier_list.get());
    StagePlace later(one_file(), {3, 1}, later_list.get());
    const auto first = earlier.prepare();
    const auto second = later.prepare();  // the earlier one was cut off, and lives
    EXPECT_TRUE(first);
    EXPECT_TRUE(second) << second.error().cause;
    EXPECT_NE(earlier.folder(), later.folder());
    EXPECT_EQ(earlier.shown_folder(), later.shown_folder());
    earlier_list->remove_all();
    EXPECT_FALSE(std::filesystem::exists(earlier.folder()));
    EXPECT_TRUE(std::filesystem::exists(later.folder()));
    later_list->remove_all();
    EXPECT_FALSE(std::filesystem::exists(later.folder()));
}

TEST(StagePlace, is_not_where_others_can_replace_what_ranks_run) {
    std::string name = (std::filesystem::temp_directory_path() / "launch-place-XXXXXX").string();
    const std::string folder = mkdtemp(name.data());
    const TemporaryFolder temporary(folder);
    for (const bool one_machine : {false, true}) {
        const auto list = std::make_unique<RemovalList>();
        StagePlace place(one_file(), {3, 0, one_machine}, list.get());
        chmod(folder.c_str(), 0777);
        const auto refused = place.prepare();
        ASSERT_FALSE(refused);
        EXPECT_EQ(refused.error().cause,
                  folder + ": others may write to it, or to a folder above it");
        EXPECT_TRUE(std::filesystem::is_empty(folder));
        chmod(folder.c_str(), 01777);
        EXPECT_TRUE(place.prepare());
        list->remove_all();
    }
    std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace launch
