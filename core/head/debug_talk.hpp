// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/debug/debug_console.hpp"
#include "core/debug/line_editor.hpp"
#include "core/head/console.hpp"
#include "core/head/output_sink.hpp"
#include "core/io/byte_source.hpp"
#include "core/io/stdin_reader.hpp"
#include "core/job/plan.hpp"
#include "core/process/guard.hpp"

namespace launch {

/// Connects the console of a debugged job to the user and to the ranks: lines of the user come from
/// a terminal or a file, ranks' records come as their output, and orders are their input.
class DebugTalk final : public OutputSink, public ByteSource {
  public:
    DebugTalk(any_io_executor executor, const Plan& plan, Console& console, const Guard& guard);

    /// Until finish().
    awaitable<void> run();
    /// ^C. False: nobody is at a terminal, so it is for the job.
    bool interrupt();
    /// This process is about to be stopped by ^Z. resume() follows.
    void pause();
    void resume() { changed(); }
    std::string waited_for() const { return machine_.waited_for(); }

    awaitable<bool> take(const OutputMessage& message) override;
    void ended(uint32_t rank, const ExitStatus& status) override;
    void tell_hosts() const override {}
    awaitable<void> finish() override;
    const Error* file_error() const override { return nullptr; }

    /// Returns orders for all ranks. No bytes end all debuggers.
    awaitable<std::string> read(size_t limit) override;
    void stop() override;

  private:
    void changed() {
        ++changes_;
        changed_.notify();
    }
    void look_at_placement();
    awaitable<void> show();
    void ask();
    awaitable<void> read_lines();
    awaitable<std::optional<std::string>> next_line();
    void typed(const std::optional<std::string>& line);

    const Plan& plan_;
    Console& console_;
    SavedTerminal own_;  ///< where no guard keeps the terminal's modes
    std::unique_ptr<LineEditor> editor_;
    std::unique_ptr<StdinReader> lines_from_;  ///< where there is no editor
    bool prompts_ = false;  ///< without an editor the terminal shows a prompt, too
    DebugConsole machine_;
    std::vector<LineSplitter> records_;
    LineSplitter typed_;
    std::vector<std::string> lines_;
    std::string orders_;
    std::string shown_prompt_;
    uint64_t changes_ = 0;
    bool is_stopped_ = false;
    Event changed_;
    TaskGroup tasks_;
};

}  // namespace launch
