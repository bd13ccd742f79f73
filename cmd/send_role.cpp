// SPDX-License-Identifier: MIT
#include <cstdlib>
#include <string_view>
#include <sys/stat.h>

#include "cmd/command_functions.hpp"
#include "cmd/console.hpp"
#include "cmd/exit_code.hpp"
#include "cmd/options/values.hpp"
#include "core/fetch/send_command.hpp"
#include "core/fetch/sent_tree.hpp"

namespace launch {
namespace {

/// The path below the folder in which the ranks here started. A missing file is noticed when it is
/// opened.
std::string whole_path(const SendOrder& order) {
    if (order.path.starts_with('/')) return order.path;
    const char* home = std::getenv("HOME");
    struct stat info {};
    const bool at_home = order.may_be_home && home != nullptr &&
                         (stat(order.wdir.c_str(), &info) != 0 || !S_ISDIR(info.st_mode));
    return absolute(order.path, at_home ? home : order.wdir);
}

}  // namespace

int start_send(const std::vector<std::string>& words) {
    if (words.size() != 3) return exit_code::usage;
    const SendOrder order{words[0], words[1] == SendOrder::home_word, words[2]};
    send_tree(whole_path(order), [](std::string_view bytes) { return bool{print(bytes)}; });
    return exit_code::success;
}

}  // namespace launch
