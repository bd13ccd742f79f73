#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cmd/options.hpp"
#include "core/base/error.hpp"
#include "core/job/job_spec.hpp"

namespace launch {

/// What of this process's environment the ranks get; nothing asked: all of it.
struct Inherit {
    bool all = false;
    bool none = false;
    std::vector<std::string> names;

    bool asked() const { return all || none || !names.empty(); }
};

/// What was said of one program.
struct ProgramArgs {
    std::vector<std::string> argv;
    std::string last_option;  ///< before the program, as it was spelled; empty: none
    uint32_t ranks = 0;
    std::vector<std::string> host_lists;
    std::vector<std::string> hostfiles;
    std::string wdir;
    std::vector<std::string> env;       ///< -env: "NAME=VALUE"
    std::vector<std::string> exported;  ///< -x: "NAME" or "NAME=VALUE"
    Inherit inherit;
};

/// How --dry-run shows the plan.
struct ViewArgs {
    bool explain = false;
    bool full = false;
    bool json = false;
};

/// The command line as typed: its words are converted, nothing is looked up or filled in.
struct CommandLine {
    bool help = false;
    bool version = false;
    bool dry_run = false;
    bool quiet = false;
    ViewArgs view;
    std::vector<OptionId> given;

    std::vector<ProgramArgs> programs;
    std::vector<std::string> excluded;  ///< --exclude: host lists
    uint32_t ppn = 0;
    Mapping mapping = Mapping::block;
    bool allow_missing = false;
    uint32_t spares = 0;
    std::vector<std::string> env;  ///< -genv: "NAME=VALUE"
    Inherit inherit;
    Resources propagated = Resources().set();
    std::vector<std::string> staged;  ///< --stage: "FILE" or "FILE:DEST"
    bool stage_program = false;
    bool stage_keep = false;
    std::string topology;
    std::string routing;
    uint32_t degree = 0;
    TransportOptions transport;
    Policies policies;
    std::optional<StdinTarget> stdin_target;
    milliseconds timeout{0};
    std::optional<milliseconds> start_limit;
    std::optional<bool> stats_json;  ///< --stats: json, or text
};

/// Reads the words after the program's own name. Errors are of kind usage.
Result<CommandLine> parse_command_line(const std::vector<std::string>& words);

}  // namespace launch
