// SPDX-License-Identifier: MIT
#include "core/push/image.hpp"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <vector>

#include "core/push/cksum.hpp"

namespace launch {
namespace {

TEST(Image, is_this_executable_and_runs) {
    const auto image = Image::open();
    ASSERT_TRUE(image);
    std::vector<char> bytes(image->size());
    ASSERT_TRUE(image->read(bytes, 0));
    Cksum sum;
    sum.add(bytes);
    EXPECT_EQ(sum.value(), image->checksum());
    EXPECT_LE(image->size(), std::filesystem::file_size("/proc/self/exe"));

    const auto copy =
        std::filesystem::temp_directory_path() / ("image-test-" + std::to_string(getpid()));
    std::ofstream(copy, std::ios::binary)
        .write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    std::filesystem::permissions(copy, std::filesystem::perms::owner_all);
    const std::string list = copy.string() + " --gtest_list_tests > /dev/null";
    EXPECT_EQ(std::system(list.c_str()), 0);
    std::filesystem::remove(copy);
}

TEST(Image, does_not_read_past_its_end) {
    const auto image = Image::open();
    ASSERT_TRUE(image);
    std::vector<char> bytes(10);
    EXPECT_FALSE(image->read(bytes, std::filesystem::file_size("/proc/self/exe") - 9));
}

}  // namespace
}  // namespace launch
