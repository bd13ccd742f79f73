// SPDX-License-Identifier: MIT
#include "core/debug/debug_console.hpp"

#include <gtest/gtest.h>

namespace launch {
namespace {

using Kind = DebugRecord::Kind;
using namespace std::chrono_literals;

/// A console with a clock.
class Talk {
  public:
    explicit Talk(uint32_t ranks, bool has_user = true) : console({"gdb", ranks, has_user}) {}

    void wait(std::chrono::milliseconds time) {
        now += time;
        console.look(now);
    }
    void say(uint32_t rank, const char* text) { console.take(rank, {Kind::answer, text}, now); }
    void prompt(uint32_t rank) { console.take(rank, {Kind::prompt, {}}, now); }
    void all_prompt(uint32_t ranks) {
        for (uint32_t rank = 0; rank < ranks; ++rank)
            prompt(rank);
    }
    void type(const char* line) { console.typed(line, now); }
    std::string shown() {
        std::string all;
        for (const auto& text : console.take_output())
            all += (text.is_error ? "!" : "") + text.text;
        return all;
    }

    DebugConsole::Time now{};
    DebugConsole console;
};

TEST(DebugConsole, asks_when_all_debuggers_are_there) {
    Talk talk(3);
    talk.say(0, "Reading symbols");
    talk.prompt(0);
    talk.wait(1h);
    EXPECT_EQ(talk.console.prompt(), std::nullopt);
    EXPECT_EQ(talk.console.waited_for(), "waiting for gdb of ranks 1,2");
    talk.say(1, "Reading symbols");
    talk.prompt(1);
    talk.say(2, "(No symbols)");
    talk.prompt(2);
    EXPECT_EQ(talk.shown(), "[0,1] Reading symbols\n[2] (No symbols)\n");
    EXPECT_EQ(talk.console.prompt(), "(gdb 0-2) ");
    EXPECT_EQ(talk.console.waited_for(), "");
}

TEST(DebugConsole, waits_for_ranks_that_are_placed_late) {
    Talk talk(0);
    talk.wait(1h);
    EXPECT_EQ(talk.console.prompt(), std::nullopt);
    EXPECT_FALSE(talk.console.is_over());
    talk.console.place(2);
    talk.all_prompt(2);
    EXPECT_EQ(talk.console.prompt(), "(gdb 0,1) ");
}

TEST(DebugConsole, sends_lines_to_the_chosen_ranks) {
    Talk talk(4);
    talk.all_prompt(4);
    talk.type("b main");
    EXPECT_EQ(talk.console.take_orders(), "t0-3 b main\n");
    EXPECT_EQ(talk.console.prompt(), std::nullopt);
    talk.all_prompt(4);
    talk.type("z 1-2");
    EXPECT_EQ(talk.console.take_orders(), "");
    EXPECT_EQ(talk.console.prompt(), "(gdb 1,2) ");
    talk.type("n");
    EXPECT_EQ(talk.console.take_orders(), "t1,2 n\n");
    talk.prompt(1);
    talk.prompt(2);
    talk.type("");  // again
    EXPECT_EQ(talk.console.take_orders(), "t1,2 n\n");
    talk.prompt(1);
    talk.prompt(2);
    talk.type("z");
    EXPECT_EQ(talk.console.prompt(), "(gdb 0-3) ");
    EXPECT_EQ(talk.shown(), "");
}

TEST(DebugConsole, refuses_ranks_that_there_are_not) {
    Talk talk(4);
    talk.all_prompt(4);
    talk.type("z 4");
    EXPECT_EQ(talk.shown(), "z: no rank 4; the job has ranks 0-3\n");
    talk.type("z often");
    EXPECT_EQ(talk.shown(), "z: no list of ranks such as 0-3,7, and not all: often\n");
    EXPECT_EQ(talk.console.prompt(), "(gdb 0-3) ");
}

TEST(DebugConsole, shows_ranks_that_run_on_after_a_second) {
    Talk talk(3);
    talk.all_prompt(3);
    talk.type("c");
    for (uint32_t rank = 0; rank < 3; ++rank)
        talk.say(rank, "Continuing.");
    talk.prompt(0);
    talk.prompt(1);
    talk.wait(999ms);
    EXPECT_EQ(talk.console.prompt(), std::nullopt);
    EXPECT_EQ(talk.console.due(), talk.now + 1ms);
    talk.wait(1ms);
    EXPECT_EQ(talk.shown(), "[0-2] Continuing.\n");
    EXPECT_EQ(talk.console.prompt(), "(gdb 0,1, 2 runs) ");
    talk.console.take_orders();
    talk.type("p x");
    EXPECT_EQ(talk.console.take_orders(), "t0,1 p x\n");
    EXPECT_EQ(talk.shown(), "not sent to rank 2, whose program runs; ^C stops it\n");
}

TEST(DebugConsole, shows_late_answers_together) {
    Talk talk(2);
    talk.all_prompt(2);
    talk.type("c");
    talk.wait(1s);
    EXPECT_EQ(talk.console.prompt(), "(gdb 0,1 run) ");
    for (uint32_t rank = 0; rank < 2; ++rank) {
        talk.say(rank, "Breakpoint 1");
        talk.prompt(rank);
        talk.wait(50ms);
    }
    EXPECT_EQ(talk.shown(), "");
    talk.wait(200ms);
    EXPECT_EQ(talk.shown(), "[0,1] Breakpoint 1\n");
    EXPECT_EQ(talk.console.prompt(), "(gdb 0,1) ");
    EXPECT_EQ(talk.console.due(), std::nullopt);
}

TEST(DebugConsole, interrupts_only_programs_that_run) {
    Talk talk(3);
    EXPECT_FALSE(talk.console.interrupt(talk.now));  // it is for the job
    talk.all_prompt(3);
    EXPECT_TRUE(talk.console.interrupt(talk.now));
    EXPECT_EQ(talk.console.take_orders(), "");
    EXPECT_EQ(talk.console.prompt(), "(gdb 0-2) ");
    talk.type("z 1,2");
    talk.type("c");
    talk.prompt(2);
    talk.wait(1s);
    talk.console.take_orders();
    EXPECT_TRUE(talk.console.interrupt(talk.now));
    EXPECT_EQ(talk.console.take_orders(), "i1 \n");
    talk.type("q");
    talk.wait(1s);
    talk.console.input_is_over();
    EXPECT_FALSE(talk.console.interrupt(talk.now));
}

TEST(DebugConsole, labels_what_programs_write) {
    Talk talk(2);
    talk.console.take(1, {Kind::out, "he"}, talk.now);
    talk.console.take(0, {Kind::err, "oh\n"}, talk.now);
    talk.console.take(1, {Kind::out, "llo\nrest"}, talk.now);
    EXPECT_EQ(talk.shown(), "!0: oh\n1: hello\n");
    talk.console.ended(1);
    EXPECT_EQ(talk.shown(), "1: rest\n");
}

TEST(DebugConsole, is_over_when_the_last_debugger_has_ended) {
    Talk talk(2);
    talk.all_prompt(2);
    talk.type("r");
    talk.console.take(1, {Kind::fault, "gdb ended with signal 9"}, talk.now);
    talk.console.ended(1);
    talk.prompt(0);
    EXPECT_EQ(talk.shown(), "[1] gdb ended with signal 9\n");
    EXPECT_EQ(talk.console.prompt(), "(gdb 0, 1 ended) ");
    talk.console.ended(0);
    EXPECT_TRUE(talk.console.is_over());
    EXPECT_EQ(talk.console.prompt(), std::nullopt);
}

TEST(DebugConsole, ends_with_q_and_with_the_input) {
    for (const char* word : {"q", " quit ", "exit", ""}) {
        Talk talk(2);
        talk.all_prompt(2);
        if (*word != '\0')
            talk.type(word);
        else
            talk.console.input_is_over();
        EXPECT_TRUE(talk.console.is_over()) << word;
        EXPECT_EQ(talk.console.take_orders(), "");
        talk.say(0, "quit");
        talk.console.ended(0);
        talk.console.ended(1);
        EXPECT_EQ(talk.shown(), "");
    }
}

TEST(DebugConsole, shows_the_lines_of_a_script_and_waits_for_every_answer) {
    Talk talk(2, false);
    talk.all_prompt(2);
    talk.type("r");
    talk.wait(1h);
    EXPECT_EQ(talk.console.prompt(), std::nullopt);
    EXPECT_EQ(talk.console.due(), std::nullopt);
    talk.all_prompt(2);
    EXPECT_EQ(talk.shown(), "(gdb 0,1) r\n");
}

TEST(DebugConsole, takes_processes_at_one_place_for_the_same) {
    const struct {
        const char* answer;
        const char* expected;
    } rows[] = {
        {"[Inferior 1 (process 4711) exited normally]", "[Inferior 1 (process *) exited normally]"},
        {"[Thread 0x7fff0a (LWP 12) exited]", "[Thread 0x* (LWP *) exited]"},
        {"/proc/12/exe", "/proc/*/exe"},
        {"0x7f5a in pause () at pause.c:29", "0x* in pause () at pause.c:29"},
        {"#1 0x12 in f (a=0x34, n=5) at f.c:6\n$1 = 0x56\n",
         "#1 0x* in f (a=0x*, n=5) at f.c:6\n$1 = 0x56\n"},
        {"Breakpoint 1, main (argv=0x7ff) at f.c:7", "Breakpoint 1, main (argv=0x*) at f.c:7"},
        {"Breakpoint 2 at 0x5612: file f.c, line 9.", "Breakpoint 2 at 0x*: file f.c, line 9."},
        {"main (argv=0x0)", "main (argv=0x0)"},
        {"a process does", "a process does"},
        {"$1 = 12", "$1 = 12"},
        {"", ""},
    };
    for (const auto& row : rows)
        EXPECT_EQ(without_ids(row.answer), row.expected);
    Talk talk(2);
    talk.say(0, "(process 1)");
    talk.say(1, "(process 2)");
    talk.all_prompt(2);
    EXPECT_EQ(talk.shown(), "[0,1] (process *)\n");
    talk.type("z 0");
    talk.type("list");
    talk.say(0, "mask=0x10");
    talk.prompt(0);
    EXPECT_EQ(talk.shown(), "[0] mask=0x10\n");
}

}  // namespace
}  // namespace launch
