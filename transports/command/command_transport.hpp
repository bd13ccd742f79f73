// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/process/reaper.hpp"
#include "core/transport.hpp"
#include "transports/start_failure.hpp"

namespace launch {

/// State of one run of the program, until it is known whether the remote command runs.
class CommandRun {
  public:
    virtual ~CommandRun() = default;
    /// The program and its arguments that do as requested, with its streams as the command's.
    virtual std::vector<std::string> command_line() const = 0;
    /// It is known: the remote command has spoken, or the program has ended.
    virtual awaitable<void> settled() = 0;
};

/// A remote service that is a program of this machine: what makes one different from another.
struct CommandService {
    /// The request lives as long as the run.
    std::function<std::unique_ptr<CommandRun>(const StartRequest& request)> prepare;

    /// The command line of a run, as a person could type it.
    std::function<std::vector<std::string>(const StartRequest& request)> command_line;

    /// See Transport::by_hand; empty: as with ssh.
    std::function<std::string(const std::vector<std::string>& argv)> by_hand;

    /// The exit code that the program has when it fails itself, as when its connection breaks.
    std::optional<int> own_failure;

    struct Ending {
        std::string error_text;
        std::optional<int> exit_code;  ///< of the remote command
    };
    /// The meaning of the program's end without a byte from the remote command. Nothing: the remote
    /// command itself ended so, which the caller has to explain.
    using Diagnosis = std::optional<StartFailure>;
    std::function<awaitable<Diagnosis>(const StartRequest& request, Ending ending)> diagnose;
};

/// Starts through any such program; start() returns when the remote command has spoken, so that
/// a program that fails is an Error and not an early end of the stream.
std::unique_ptr<Transport> make_command_transport(const any_io_executor& executor, Reaper& reaper,
                                                  CommandService service);

}  // namespace launch
