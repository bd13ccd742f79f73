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

std::string core_record(const Stack& stack, uint32_t rank) {
    StackGroups one;
    one.add(stack, {rank});
    Encoder record;
    one.encode(record);
    return Encoder().text(record.take()).take();
}

TEST(CoreRecord, a_core_that_was_taken_is_known_before_its_stack) {
    const Stack taken{"app", {}, "died, no stack: not read in time"};
    const Stack read{"app", {"main"}, "died"};
    const Stack none{"", {}, "died of signal 6 (Aborted), no core: late"};
    const std::string first = core_record(taken, 0);
    const std::string all = first + core_record(none, 7) + core_record(read, 0);
    const struct {
        std::string bytes;
        Stack of_first;
    } rows[] = {
        {first, taken},
        {first + "\x09", taken},
        {all, read},
        {all + core_record(none, 7), read},
        {"", {"app", {}, "died of signal 11 (Segmentation fault), no core: late"}},
    };
    for (const auto& row : rows) {
        StackGroups expected;
        expected.add(row.of_first, {0});
        expected.add(none, {7});
        EXPECT_EQ(read_cores(row.bytes, two_dead.dead, "late"), expected) << row.bytes.size();
    }
}

}  // namespace
}  // namespace launch
