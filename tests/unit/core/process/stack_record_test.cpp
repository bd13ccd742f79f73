// SPDX-License-Identifier: MIT
#include "core/process/stack_record.hpp"

#include <gtest/gtest.h>

namespace launch {
namespace {

std::string record(const Stack& stack, uint32_t rank) {
    StackGroups one;
    one.add(stack, {rank});
    Encoder groups;
    one.encode(groups);
    return Encoder().text(groups.take()).take();
}

TEST(StackRecord, leaves_out_a_last_one_that_is_not_complete) {
    const std::string first = record({"a", {"main"}, {}}, 0);
    const std::string second = record({"a", {"main"}, {}}, 1);
    const std::string cut = second.substr(0, second.size() - 1);
    EXPECT_EQ(read_stacks(first + cut).stacks.all_ranks(), (StackGroups::Ranks{0}));
    EXPECT_EQ(read_stacks(first + cut).processes, 1U);
    EXPECT_EQ(read_stacks(first + second).stacks.all_ranks(), (StackGroups::Ranks{0, 1}));
    EXPECT_TRUE(read_stacks("").stacks.empty());
}

TEST(StackRecord, reads_the_main_thread_of_a_python_program) {
    const std::string_view text =
        "Process 7: python3 train.py\n"
        "Python v3.11.2 (/usr/bin/python3.11)\n"
        "\n"
        "Thread 8 (idle): \"worker\"\n"
        "    wait (threading.py:324)\n"
        "Thread 7 (idle): \"MainThread\"\n"
        "    recv (socket.py:12)\n"
        "    step (train.py:40)\n"
        "    <module> (train.py:88)\n"
        "Thread 9 (idle): \"other\"\n"
        "    wait (threading.py:324)\n";
    EXPECT_EQ(frames_of_py_spy(text), (std::vector<std::string>{"<module>", "step", "recv"}));
    EXPECT_TRUE(frames_of_py_spy("Error: Permission Denied\n").empty());
}

}  // namespace
}  // namespace launch
