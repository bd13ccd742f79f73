// SPDX-License-Identifier: MIT
#pragma once

#include <cstdio>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "core/async/event.hpp"
#include "core/async/task_group.hpp"
#include "core/process/saved_terminal.hpp"

namespace launch {

/// A line that the user edits at a terminal, with history, by GNU readline or editline, which is
/// opened when it is needed. There is one at a time in a process, because these libraries keep
/// their state in variables.
class LineEditor {
  public:
    /// A line, or nothing: ^D, or the terminal is gone.
    using Taker = std::function<void(std::optional<std::string> line)>;

    /// `saved`: keeps the terminal's modes until the end. Null where standard input is no terminal,
    /// or no such library is here.
    static std::unique_ptr<LineEditor> open(any_io_executor executor, SavedTerminal& saved,
                                            Taker taker);
    ~LineEditor();
    LineEditor(const LineEditor&) = delete;
    LineEditor& operator=(const LineEditor&) = delete;

    /// Shows the prompt and what has been typed after it. The prompt goes away with the line.
    void show(const std::string& prompt);
    /// Takes both off the screen, so that others may write; what has been typed is kept.
    void hide();
    /// Leaves the line as it is on the screen, and begins an empty one.
    void drop();
    /// The terminal has its modes back. No line is taken any more.
    void close();
    awaitable<void> join() { return tasks_.join(); }

  private:
    struct Functions;
    LineEditor(any_io_executor executor, SavedTerminal& saved, Taker taker,
               std::unique_ptr<Functions> functions, int terminal);

    awaitable<void> read_keys();
    void take(char* line);
    static void line_is_complete(char* line);

    SavedTerminal& saved_;
    Taker taker_;
    std::unique_ptr<Functions> call_;
    FILE* stream_;
    asio::posix::stream_descriptor terminal_;
    std::string shown_;  ///< the prompt; empty: hidden
    std::string kept_;   ///< what was typed when it was hidden
    bool is_closed_ = false;
    Event changed_;
    TaskGroup tasks_;
};

}  // namespace launch
