// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

namespace launch {

/// The role of the executable that sends what is fetched from its host: the first of its words.
inline constexpr const char* send_word = "__send";

/// The arguments of a sender, after the name of its role.
struct SendOrder {
    std::string wdir;          ///< where a relative path begins
    bool may_be_home = false;  ///< and else in the home folder, as ranks do
    std::string path;

    static constexpr const char* home_word = "or-home";
};

/// The words of a command that runs the executable of its parent, which is launch, as a sender.
inline std::vector<std::string> send_command(const SendOrder& order) {
    // A relay that was sent has no name any more, but its children find it.
    return {"/bin/sh", "-c",       std::string("exec /proc/$PPID/exe ") + send_word + " \"$@\"",
            "sh",      order.wdir, order.may_be_home ? SendOrder::home_word : "",
            order.path};
}

}  // namespace launch
