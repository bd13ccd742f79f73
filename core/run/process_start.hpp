// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <sys/types.h>
#include <utility>

#include "core/base/fd.hpp"
#include "core/run/rank.hpp"

namespace launch {

/// The start of one rank's process. The io_context's thread signals the process meanwhile, and
/// takes what has become of it when the thread has handed it back.
class ProcessStart final : public RankStart {
  public:
    struct Settings {
        /// The three streams are one terminal of this size.
        std::optional<WindowSize> terminal;
        InputSource input = InputSource::none;
    };
    /// The request's streams are set by run().
    ProcessStart(Settings settings, SpawnRequest request)
        : settings_(settings), request_(std::move(request)) {}

    void run() override;

    /// By the io_context's thread, before it knows the outcome. False: it is too early for a
    /// signal, which is to be sent when the outcome is known.
    bool signal(int number);
    void kill() override;
    const std::optional<WindowSize>& terminal() const { return settings_.terminal; }
    pid_t pid() const override { return in_flight_.pid; }

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
