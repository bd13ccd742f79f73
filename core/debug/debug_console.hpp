// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/clock.hpp"
#include "core/debug/debug_words.hpp"

namespace launch {

/// The console of a job whose ranks run under debuggers. Lines that the user types go to the chosen
/// ranks; what these answer is shown when all have, the same once. Sans I/O: it takes events with
/// their time, and has what is to be written and sent.
///
///     z LIST, z all    choose the ranks that get what is typed
///     q                ends all debuggers and their programs
///     an empty line    what was typed before
class DebugConsole {
  public:
    using Time = Clock::time_point;

    struct Settings {
        std::string debugger;  ///< its name, for the prompt
        uint32_t ranks = 0;    ///< 0: not placed yet, see place()
        /// A person types at a terminal, who is asked again while ranks run. Else the next line is
        /// read when all chosen ranks have answered or ended, and is shown after the prompt.
        bool has_user = false;
    };
    explicit DebugConsole(Settings settings);
    /// The ranks are placed now. Call it once, before anything comes from them.
    void place(uint32_t ranks);

    /// From a rank. The rank is one of the job's.
    void take(uint32_t rank, const DebugRecord& record, Time now);
    /// The process of the rank has ended, by itself or by an order.
    void ended(uint32_t rank);
    void typed(std::string_view line, Time now);
    /// No line comes any more.
    void input_is_over();
    /// ^C: the programs of the chosen ranks are to stop. False: the debuggers are not there yet, or
    /// not any more.
    bool interrupt(Time now);
    /// Time has passed: what is due is done.
    void look(Time now);
    /// When to call look(); nothing: at the next event.
    std::optional<Time> due() const;

    /// The next line may be typed; the text stands before it. Nothing: answers are waited for, or
    /// it is over.
    std::optional<std::string> prompt() const;
    /// The orders for ranks end after those that there are.
    bool is_over() const { return stage_ == Stage::over; }
    /// The reason why there is no prompt yet: "waiting for gdb of rank 3"; empty: nothing does.
    std::string waited_for() const;

    /// Whole lines, except where the user types after a prompt.
    struct Text {
        bool is_error = false;  ///< the program's standard error
        std::string text;
    };
    /// Bytes that take_output() would return.
    size_t unshown() const { return unshown_; }
    std::vector<Text> take_output() {
        unshown_ = 0;
        return std::exchange(output_, {});
    }
    /// Encoded orders for all ranks.
    std::string take_orders() { return std::exchange(orders_, {}); }

  private:
    enum class Stage : uint8_t {
        waits,  ///< for answers
        asks,   ///< for a line
        over,   ///< no line is asked for any more
    };
    /// The debugger of a rank.
    enum class State : uint8_t {
        runs,     ///< it starts, or has a command and has not answered
        prompts,  ///< it waits for a command
        ended,
    };
    struct Rank {
        State state = State::runs;
        bool is_chosen = true;
        bool is_awaited = true;
        std::string answer{};  ///< lines that have not been shown
        LineSplitter out{};
        LineSplitter err{};
    };

    std::vector<uint32_t> chosen(State state) const;
    void order(DebugOrder::Kind kind, const std::vector<uint32_t>& ranks, std::string_view text,
               Time now);
    void choose(std::string_view list);
    void print(uint32_t rank, LineSplitter& lines, std::string_view bytes, bool is_error);
    void show(Text text);
    void say(std::string_view line);
    void show_answers();
    void settle();

    Settings settings_;
    std::vector<Rank> ranks_;
    Stage stage_ = Stage::waits;
    std::optional<Time> waits_until_;  ///< then the user is asked, whatever runs
    std::optional<Time> shows_at_;     ///< answers that nobody waits for
    std::string last_line_;
    std::vector<Text> output_;
    size_t unshown_ = 0;
    std::string orders_;
};

/// The lines of an answer without the differences between processes that are at the same place: IDs
/// of processes and threads ("process 4711" is "process *"), and addresses in backtraces.
std::string without_ids(std::string_view answer);

}  // namespace launch
