// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "core/head/open_line.hpp"
#include "core/head/user_side.hpp"
#include "core/wire/messages.hpp"

namespace launch {

/// The head's standard output and error: what ranks write, what launch says, and on a terminal
/// one line that is redrawn to show what is waited for.
class Console {
  public:
    Console(Screen screen, bool quiet, bool progress);

    /// Shows the output of a rank. Returns false when nobody reads standard output any more (see
    /// output_error()).
    awaitable<bool> output(const OutputMessage& message, uint32_t space = 0);
    /// From now on launch says nothing of its own but how far it is.
    void mute() { muted_ = true; }

    /// A line of launch's own, without "launch: " and the newline.
    void say(std::string_view line);
    /// Prints a note of launch; --quiet suppresses it.
    void note(std::string_view line);
    /// Prints a hint for a person at a terminal; without a terminal it prints nothing.
    void hint(std::string_view line);
    /// Replaces the progress line; empty: takes it away. Nothing where no terminal is, or where
    /// launch is in the background.
    void progress(const std::string& line);
    /// Somebody sees such a line.
    bool has_progress() const { return show_progress_; }
    /// One in the midst of the job would hide nothing that ranks wrote, and no pager draws there.
    bool is_calm() const;
    /// When a line of launch's own came last.
    Clock::time_point said_at() const { return said_at_; }

    /// A person sees what ranks write to that stream, who may be asked something in the midst of a
    /// line (OutputChoice::prompts_out): no rank goes on in the line of another.
    void show_prompts(bool out, bool err) {
        prompts_out_ = out;
        prompts_err_ = err;
    }

    /// From now on the terminal is raw, and that rank has it: its bytes pass as they are, the lines
    /// of all others return the carriage, too. Nothing: it is as usual again.
    void set_raw(std::optional<uint32_t> rank);

    /// Text without an end on standard output, after which the user types.
    void prompt(const std::string& text) { screen_.out->write_now(text); }
    /// Takes such a text away, with what has been typed.
    void clear_line() { screen_.out->write_now("\r\033[K"); }

    awaitable<void> drain();
    void give_up();
    /// errno with which standard output failed; 0: none.
    int output_error() const { return screen_.out->error(); }

  private:
    ScreenWriter& errors() { return screen_.err ? *screen_.err : *screen_.out; }
    std::string erase_progress();
    std::string as_shown(std::string text) const;

    Screen screen_;
    bool quiet_;
    bool muted_ = false;
    bool show_progress_;
    bool progress_drawn_ = false;
    std::optional<uint32_t> raw_for_;  ///< the rank that has the terminal
    bool prompts_out_ = false;
    bool prompts_err_ = false;
    OpenLine open_line_;
    bool line_is_open_ = false;  ///< of what ranks wrote last
    Clock::time_point said_at_;
};

}  // namespace launch
