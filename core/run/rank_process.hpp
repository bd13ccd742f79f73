// SPDX-License-Identifier: MIT
#pragma once

#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "core/async/event.hpp"
#include "core/async/task_group.hpp"
#include "core/base/fd.hpp"
#include "core/io/line_assembler.hpp"
#include "core/process/core_file.hpp"
#include "core/process/process_group.hpp"
#include "core/process/reaper.hpp"
#include "core/run/input_merge.hpp"
#include "core/run/job_upstream.hpp"
#include "core/run/local_output.hpp"
#include "core/run/look_pace.hpp"
#include "core/run/output_pipe.hpp"
#include "core/run/rank_start.hpp"
#include "core/wire/costs.hpp"

namespace launch {

/// One rank: a process in a group of its own, its three streams, and how it ends. Its exit is
/// known only when the process has ended and both output streams have.
class RankProcess {
  public:
    struct Settings {
        uint32_t rank = 0;
        OutputChannel out;
        OutputChannel err;
        bool whole_lines = true;  ///< other ranks write to the same place
        /// Its three streams are one terminal of this size, with its own job control.
        std::optional<WindowSize> terminal;
        InputSource input = InputSource::none;
        milliseconds kill_grace{};
        milliseconds part_rests{100};  ///< before it is shown, where OutputChannel::prompts
        std::function<void(int signal)> wants_terminal;  ///< stopped by SIGTTIN or SIGTTOU
    };

    RankProcess(any_io_executor executor, Settings settings, Reaper& reaper, LocalOutput& output,
                InputMerge& input);

    /// The start of the process, which a thread is to make. Call started() or never_started() then.
    /// Signals and input that come meanwhile reach the process.
    const std::shared_ptr<RankStart>& begin_start(SpawnRequest request);
    /// The start is made. Returns nothing if the process runs: run() follows. Else never_started()
    /// follows.
    std::optional<NotStarted> started(bool& used_fallback);
    /// There is no process, or nobody waits for it.
    void never_started();
    /// Null: started() or never_started() was called.
    const std::shared_ptr<RankStart>& pending_start() const { return start_; }
    /// Carries output and waits for the end.
    awaitable<ExitStatus> run();
    /// Does not wait any longer for a process that SIGKILL does not end.
    void give_up();

    void signal(int number);
    /// The user's terminal has another size now; nothing without a terminal.
    void resize(WindowSize size);
    /// SIGKILL to its group and to all below it.
    void kill_all() { start_ ? start_->kill() : group_.kill_all(); }
    /// Input from the head; empty: end of file.
    void give_input(std::string bytes);
    /// Stops carrying streams: what writes to them now gets SIGPIPE.
    void abandon_streams();

    uint32_t rank() const { return settings_.rank; }
    /// Reads frames from the head.
    bool takes_input() const { return launch::takes_input(settings_.input); }
    bool ended() const { return stage_ == Stage::ended; }
    /// -1: it has ended, though its streams may have not.
    pid_t pid() const { return exit_ ? -1 : pid_; }
    /// The rank's cost, once it has ended; times count from `begin`.
    RankCost cost(Clock::time_point begin) const;
    /// The process, once it has died of a signal. Its program and folder are not known here.
    DeadProcess dead() const;
    /// Processes that the rank left behind held its streams open and were ended.
    bool left_processes() const { return left_processes_; }

  private:
    using Descriptor = asio::posix::stream_descriptor;

    enum class Stage : uint8_t {
        runs,      ///< the process, or what holds its streams
        given_up,  ///< not waited for any longer
        ended,     ///< whatever is known of it is known
    };
    /// How the process itself ended.
    struct Exit {
        int wait_status = 0;
        Clock::time_point at;
        Reaper::Used used;
    };
    struct Outlet : OutputPipe {
        Stream stream;
        const OutputChannel& channel;
        uint64_t carried = 0;  ///< bytes that were read from it
    };

    void take_streams(RankStart::Outcome& made);
    awaitable<void> carry(Outlet& from);
    awaitable<bool> carry_part(const Outlet& from, LineAssembler& lines);
    awaitable<bool> send(const Outlet& from, std::string_view text);
    awaitable<void> feed_input();
    awaitable<void> watch_demand();
    awaitable<void> wait_for_streams();
    awaitable<bool> streams_free_within(milliseconds limit);
    bool streams_held();
    void refuse_input();
    void stopped(int signal);

    any_io_executor executor_;
    Settings settings_;
    Reaper& reaper_;
    LocalOutput& upstream_;
    InputMerge& demand_;
    std::shared_ptr<RankStart> start_;
    std::vector<int> early_signals_;  ///< for when it has started
    pid_t pid_ = -1;
    ProcessGroup group_;
    Descriptor input_;
    Outlet output_;
    Outlet errors_;
    ino_t input_pipe_ = 0;
    LookPace looks_;  ///< whether it reads
    std::deque<std::string> pending_input_;
    Event changed_;
    TaskGroup tasks_;
    Stage stage_ = Stage::runs;
    std::optional<Exit> exit_;
    bool wants_terminal_ = false;
    bool left_processes_ = false;
    bool input_refused_ = false;
    Clock::time_point started_at_;
    Reaper::Watch watch_;  ///< last: its callbacks use the others
};

}  // namespace launch
