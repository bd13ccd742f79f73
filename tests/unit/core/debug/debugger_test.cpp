// SPDX-License-Identifier: MIT
#include "core/debug/debugger.hpp"

#include <gtest/gtest.h>

#include "core/base/list_text.hpp"

namespace launch {
namespace {

std::string words_of(const char* command, const std::vector<std::string>& program) {
    return joined(Debugger(command).words(program, {5, 12}), "|");
}

TEST(Debugger, is_put_before_the_program) {
    EXPECT_EQ(words_of("mydbg -x", {"./app", "a b"}),
              "/bin/sh|-c|exec mydbg -x \"$@\"|sh|./app|a b");
    EXPECT_EQ(words_of("lldb", {"./app"}),
              "/bin/sh|-c|exec lldb \"$@\"|sh|--no-use-colors|--|./app");
    EXPECT_EQ(words_of("pdb", {"python3.11", "p.py", "1"}), "python3.11|-m|pdb|p.py|1");
    EXPECT_EQ(words_of("pdb", {"./p.py"}), "python3|-m|pdb|./p.py");
}

TEST(Debugger, is_attached_to_a_process) {
    EXPECT_EQ(words_of("lldb", attached_program(12)),
              "/bin/sh|-c|exec lldb \"$@\"|sh|--no-use-colors|-p|12");
    const std::string words = words_of("gdb", attached_program(12));
    EXPECT_TRUE(words.ends_with("|-ex|set width 0|-ex|set print thread-events off|/proc/12/exe|12"))
        << words;
    EXPECT_TRUE(Debugger("/opt/gdb -x f").can_attach());
    EXPECT_FALSE(Debugger("pdb").can_attach());
}

TEST(Debugger, that_is_gdb_gives_the_program_streams_of_its_own) {
    const std::string words = words_of("/opt/bin/gdb -x setup.gdb", {"./app", "1"});
    EXPECT_TRUE(words.starts_with("/bin/sh|-c|exec /opt/bin/gdb -x setup.gdb \"$@\"|sh|-q|"))
        << words;
    EXPECT_NE(words.find("</dev/null >/proc/self/fd/5 2>/proc/self/fd/12"), words.npos) << words;
    EXPECT_TRUE(words.ends_with("|--args|./app|1")) << words;
}

TEST(Debugger, knows_its_prompts) {
    const struct {
        const char* debugger;
        const char* line;
        bool is_prompt;
    } rows[] = {
        {"gdb", "(launch-gdb) ", true}, {"gdb", ">", true},         {"gdb", "  >", true},
        {"gdb", "(launch-g", false},    {"gdb", "(gdb) ", false},   {"gdb", "", false},
        {"lldb", "(lldb) ", true},      {"lldb", "> a", false},     {"pdb", "(Pdb) ", true},
        {"pdb", "... ", true},          {"pdb", "Pdb", false},      {"mydbg", "mydbg> ", true},
        {"mydbg", "(my 3) ", true},     {"mydbg", "half a", false}, {"mydbg", "", false},
    };
    for (const auto& row : rows)
        EXPECT_EQ(Debugger(row.debugger).is_prompt(row.line), row.is_prompt)
            << row.debugger << ": " << row.line;
}

TEST(Debugger, says_why_a_host_cannot_debug) {
    const ProgramPlace place{{}, "/bin:/usr/bin", {}};
    const struct {
        const char* debugger;
        const char* program;
        const char* detail;  ///< null: nothing is wrong
    } rows[] = {
        {"sh", "no-such-script", nullptr},
        {"no-debugger -x", "true",
         "no-debugger is not installed; install it there, or name another debugger with "
         "--debugger"},
        {"/nowhere/gdb", "true",
         "/nowhere/gdb is not installed; install it there, or name another debugger with "
         "--debugger"},
        {"gdb", "no-such-program", ""},
        {"pdb", "/nowhere/python3",
         "/nowhere/python3 is not installed; install it there, or name another debugger with "
         "--debugger"},
    };
    for (const auto& row : rows) {
        const auto obstacle = Debugger(row.debugger).find_obstacle({row.program}, place);
        ASSERT_EQ(obstacle.has_value(), row.detail != nullptr) << row.debugger;
        if (obstacle) {
            EXPECT_EQ(obstacle->detail, row.detail);
        }
    }
    EXPECT_EQ(Debugger("/opt/bin/gdb -x f").name(), "gdb");
}

}  // namespace
}  // namespace launch
