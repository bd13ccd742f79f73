// SPDX-License-Identifier: MIT
#include "transports/command/call_end_error.hpp"

#include "core/transport.hpp"
#include "core/wire/call_end.hpp"
#include "transports/start_error.hpp"

namespace launch {
namespace {

/// Exit codes of a shell: the program may not be executed, or does not exist.
constexpr int shell_may_not = 126;
constexpr int shell_finds_none = 127;

constexpr const char* other_folder = "choose a folder that all hosts share: --call-folder DIR";

}  // namespace

Error call_end_error(int code, const std::string& folder) {
    switch (static_cast<CallEnd>(code)) {
        case CallEnd::not_told:
            return start_error::make("call back", "the launch there is another build",
                                     "copy this executable to the same path there");
        case CallEnd::no_file:
            return start_error::make(
                "call back", "the host does not see the file that launch wrote to " + folder,
                other_folder);
        case CallEnd::unsafe:
            return start_error::make("call back",
                                     "the file of launch in " + folder +
                                         " belongs to another user there, or others may read it",
                                     other_folder);
        case CallEnd::not_asked:
            return start_error::make("call back", "the host has another name than the job uses",
                                     "use the name that `hostname` prints there");
        case CallEnd::no_way:
            return start_error::make("call back", "the host cannot connect to this machine",
                                     "does a firewall block TCP connections to here?");
    }
    if (code == shell_finds_none)
        return start_error::make("start launch there", "the executable is missing",
                                 "copy this executable to the same path there");
    if (code == shell_may_not)
        return start_error::make(
            "start launch there",
            "the executable cannot be run, or " + std::string(others_may_write),
            "chmod go-w there, or copy this executable to a folder that only you may write to");
    return start_error::make("start launch there",
                             "launch ended with exit code " + std::to_string(code),
                             "the output of the job may say why");
}

}  // namespace launch
