// SPDX-License-Identifier: MIT
// Every input that a fuzzer has found worth keeping, once, in each build that runs unit tests.
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <iterator>
#include <string>

#include "tests/fuzz/targets.hpp"

namespace launch::fuzz {
namespace {

std::string read_file(const std::filesystem::path& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

class Corpus : public testing::TestWithParam<Target> {};

TEST_P(Corpus, HoldsNothingThatFails) {
    const auto folder = std::filesystem::path(CORPUS) / GetParam().name;
    size_t files = 0;
    for (const auto& entry : std::filesystem::directory_iterator(folder)) {
        EXPECT_NO_THROW(GetParam().run(read_file(entry.path()))) << entry.path();
        ++files;
    }
    EXPECT_GT(files, 0u);
}

INSTANTIATE_TEST_SUITE_P(All, Corpus, testing::ValuesIn(targets().begin(), targets().end()),
                         [](const auto& row) { return std::string(row.param.name); });

TEST(FuzzTargets, EachCorpusHasOne) {
    size_t folders = 0;
    for (const auto& entry : std::filesystem::directory_iterator(CORPUS))
        folders += entry.is_directory() ? 1U : 0U;
    EXPECT_EQ(folders, targets().size());
}

}  // namespace
}  // namespace launch::fuzz
