// SPDX-License-Identifier: MIT
#include "transports/command/call_end_error.hpp"

#include "core/transport.hpp"
#include "core/wire/call_end.hpp"
#include "transports/start_error.hpp"

namespace launch {
namespace {

/// Of a shell: the program is not to be executed, or not there.
constexpr int shell_may_not = 126;
constexpr int shell_finds_none = 127;

constexpr const char* other_folder = "--call-folder DIR names a folder that all hosts see";

}  // namespace

Error call_end_error(int code, const std::string& folder) {
    switch (static_cast<CallEnd>(code)) {
        case CallEnd::not_told:
            return start_error::make("call back", "launch there is another build",
                                     "put this executable at the same path there");
        case CallEnd::no_file:
            return start_error::make("call back",
                                     "the host does not see what launch has written to " + folder,
                                     other_folder);
        case CallEnd::unsafe:
            return start_error::make("call back",
                                     "a file of yours in " + folder + " is not yours alone there",
                                     other_folder);
        case CallEnd::not_asked:
            return start_error::make("call back", "the host calls itself by another name",
                                     "name it as `hostname` does there");
        case CallEnd::no_way:
            return start_error::make("call back", "it gets no answer from here",
                                     "does a firewall let no TCP connection through to here?");
    }
    if (code == shell_finds_none)
        return start_error::make("start launch there", "it is not there",
                                 "put this executable at the same path there");
    if (code == shell_may_not)
        return start_error::make(
            "start launch there", "it cannot be executed, or " + std::string(others_may_write),
            "chmod go-w there, or put this executable where only you may write");
    return start_error::make("start launch there",
                             "it ended with exit code " + std::to_string(code),
                             "the output of the job may say why");
}

}  // namespace launch
