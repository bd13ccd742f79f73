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
#include "core/process/process_group.hpp"
#include "core/run/job_upstream.hpp"
#include "core/run/look_pace.hpp"
#include "core/run/output_pipe.hpp"
#include "core/run/process_start.hpp"

namespace launch {

/// A rank that is a process in a group of its own. Its exit is
/// known only when the process has ended and both output streams have.
class RankProcess final : public Rank {
  public:
    RankProcess(const RankSurroundings& around, Settings settings);

    std::shared_ptr<RankStart> begin_start(SpawnRequest request) override;
    const RankStart* pending_start() const override { return start_.get(); }
    std::optional<NotStarted> started(bool& used_fallback) override;
    void never_started() override;
    awaitable<ExitStatus> run() override;
    void give_up() override;

    void signal(int number) override;
    void kill_all() override { start_ ? start_->kill() : group_.kill_all(); }
    void resize(WindowSize size) override;
    void give_input(std::string bytes) override;
    void abandon_streams() override;

    bool ended() const override { return stage_ == Stage::ended; }
    pid_t pid() const override { return exit_ ? -1 : pid_; }
    std::optional<RankState> usage() const override;
    RankCost cost(Clock::time_point begin) const override;
    DeadProcess dead() const override;
    bool left_processes() const override { return left_processes_; }

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

    void take_streams(ProcessStart::Outcome& made);
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

    Reaper& reaper_;
    LocalOutput& upstream_;
    InputMerge& demand_;
    std::shared_ptr<ProcessStart> start_;
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

inline std::unique_ptr<Rank> make_rank_process(const RankSurroundings& around,
                                               Rank::Settings settings) {
    return std::make_unique<RankProcess>(around, std::move(settings));
}

}  // namespace launch
