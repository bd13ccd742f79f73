// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <sys/types.h>

#include "core/async/asio.hpp"
#include "core/process/core_file.hpp"
#include "core/process/reaper.hpp"
#include "core/process/spawn.hpp"
#include "core/process/why_not_started.hpp"
#include "core/process/window_size.hpp"
#include "core/run/input_merge.hpp"
#include "core/run/local_output.hpp"
#include "core/wire/costs.hpp"
#include "core/wire/survey.hpp"

namespace launch {

/// Where a rank's standard input comes from.
enum class InputSource : uint8_t {
    none,       ///< /dev/null
    on_demand,  ///< frames, asked for once the rank reads
    eager,      ///< frames, asked for at once (all ranks read the same stream)
    inherited,  ///< this process's own standard input
};

/// Reads frames from the head.
inline bool takes_input(InputSource source) {
    return source == InputSource::eager || source == InputSource::on_demand;
}

/// The start of one rank, which a thread makes by run(): to execute a program may take as long as a
/// file server likes.
class RankStart {
  public:
    virtual ~RankStart() = default;

    /// In a thread that lives as long as the rank. Blocks.
    virtual void run() = 0;
    /// The program does not run, or is killed, with all that it has started.
    virtual void kill() = 0;
    /// 0: there is no process yet, or no more.
    virtual pid_t pid() const = 0;
};

/// One rank of a node, from its start to its end, with its three streams.
class Rank {
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

    explicit Rank(Settings settings) : settings_(std::move(settings)) {}
    virtual ~Rank() = default;
    Rank(const Rank&) = delete;
    Rank& operator=(const Rank&) = delete;

    /// The start, which a thread is to make. Call started() or never_started() then. Signals and
    /// input that come meanwhile reach the rank.
    virtual std::shared_ptr<RankStart> begin_start(SpawnRequest request) = 0;
    /// Null: started() or never_started() was called.
    virtual const RankStart* pending_start() const = 0;
    /// The start is made. Returns nothing if the rank runs: run() follows. Else never_started()
    /// follows.
    virtual std::optional<NotStarted> started(bool& used_fallback) = 0;
    /// There is no process, or nobody waits for it.
    virtual void never_started() = 0;
    /// Carries output and waits for the end.
    virtual awaitable<ExitStatus> run() = 0;
    /// Does not wait any longer for a process that SIGKILL does not end.
    virtual void give_up() = 0;

    virtual void signal(int number) = 0;
    /// SIGKILL to its processes.
    virtual void kill_all() = 0;
    /// The user's terminal has another size now; nothing without a terminal.
    virtual void resize(WindowSize size) = 0;
    /// Input from the head; empty: end of file.
    virtual void give_input(std::string bytes) = 0;
    /// Stops carrying streams: what writes to them now gets SIGPIPE.
    virtual void abandon_streams() = 0;

    uint32_t rank() const { return settings_.rank; }
    /// Reads frames from the head.
    bool takes_input() const { return launch::takes_input(settings_.input); }
    virtual bool ended() const = 0;
    /// -1: it has ended, though its streams may have not.
    virtual pid_t pid() const = 0;
    /// The rank's cost, once it has ended; times count from `begin`.
    virtual RankCost cost(Clock::time_point begin) const = 0;
    /// The resources that its processes use; nothing: it has no process.
    virtual std::optional<RankState> usage() const = 0;
    /// The process, once it has died of a signal. Its program and folder are not known here.
    virtual DeadProcess dead() const = 0;
    /// Processes that the rank left behind held its streams open and were ended.
    virtual bool left_processes() const = 0;

  protected:
    Settings settings_;
};

/// The parts of its node that a rank uses. All outlive it.
struct RankSurroundings {
    any_io_executor executor;
    Reaper& reaper;
    LocalOutput& output;
    InputMerge& input;
};

using RankFactory =
    std::function<std::unique_ptr<Rank>(const RankSurroundings& around, Rank::Settings settings)>;

}  // namespace launch
