// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <sys/types.h>
#include <utility>

#include "core/async/asio.hpp"
#include "core/base/fd.hpp"
#include "core/process/spawn.hpp"
#include "core/process/window_size.hpp"

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

/// The start of one rank's process, which a thread makes by run(): to execute a program may take as
/// long as a file server likes. The io_context's thread signals the process meanwhile, and takes
/// what has become of it when the thread has handed it back.
class RankStart {
  public:
    struct Settings {
        /// The three streams are one terminal of this size.
        std::optional<WindowSize> terminal;
        InputSource input = InputSource::none;
    };
    /// The request's streams are set by run().
    RankStart(Settings settings, SpawnRequest request)
        : settings_(settings), request_(std::move(request)) {}

    /// In a thread that lives as long as the rank. Blocks.
    void run();

    /// By the io_context's thread, before it knows the outcome. False: it is too early for a
    /// signal, which is to be sent when the outcome is known.
    bool signal(int number);
    /// The program does not run, or is killed, with all that it has started.
    void kill();
    const std::optional<WindowSize>& terminal() const { return settings_.terminal; }
    /// 0: there is no process yet, or no more.
    pid_t pid() const { return in_flight_.pid; }

    /// How the start went.
    struct Outcome {
        std::optional<NotStarted> failure;
        SpawnResult spawned;
        Clock::time_point began;  ///< just before the process did
        UniqueFd input;           ///< our ends of its streams; none: it has no such stream
        UniqueFd output;
        UniqueFd errors;
        ino_t input_pipe = 0;
    };
    Outcome outcome;  ///< after run()

  private:
    struct Theirs {
        UniqueFd input;
        UniqueFd output;
        UniqueFd errors;
    };
    bool make_streams(Theirs& theirs);
    bool make_pipes(Theirs& theirs);
    bool make_terminal(Theirs& theirs);

    Settings settings_;
    SpawnRequest request_;
    SpawnInFlight in_flight_;
};

}  // namespace launch
