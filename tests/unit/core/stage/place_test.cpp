#include "core/stage/place.hpp"

#include <filesystem>
#include <gtest/gtest.h>
#include <memory>
#include <unistd.h>

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

}  // namespace
}  // namespace launch
