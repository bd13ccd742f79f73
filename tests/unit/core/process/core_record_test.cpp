// SPDX-License-Identifier: MIT
#include "core/process/core_record.hpp"

#include <csignal>
#include <gtest/gtest.h>

namespace launch {
namespace {

const CoresAsked two_dead{
    {"/cores", "n1", std::chrono::milliseconds(4000)},
    {{0, 41, SIGSEGV, true, "./app", "/home/me"}, {7, 42, SIGABRT, false, "", "a b"}}};

std::vector<std::string> words_of(const CoresAsked& asked) {
    auto words = cores_command(asked.keeping, asked.dead);
    words.erase(words.begin(), words.begin() + 2);  // the executable and the role
    return words;
}

TEST(CoreRecord, words_are_read_as_written) {
    EXPECT_EQ(read_cores_words(words_of(two_dead)), two_dead);
}

TEST(CoreRecord, words_that_are_no_process_end_the_list) {
    auto words = words_of(two_dead);
    words.pop_back();
    EXPECT_EQ(read_cores_words(words).dead.size(), 1u);
    words[3] = "x";
    EXPECT_TRUE(read_cores_words(words).dead.empty());
    EXPECT_EQ(read_cores_words({"/cores"}), CoresAsked());
}

TEST(CoreRecord, files_are_named_by_rank_and_host) {
    EXPECT_EQ(kept_core_path(two_dead.keeping, 7), "/cores/core.7.n1");
    EXPECT_EQ(death_note(SIGSEGV), "died of signal 11 (Segmentation fault)");
    EXPECT_TRUE(makes_core(SIGSEGV));
    EXPECT_FALSE(makes_core(SIGKILL));
}

}  // namespace
}  // namespace launch
