// SPDX-License-Identifier: MIT
#include "cmd/console.hpp"

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <unistd.h>

#include "core/io/output_error.hpp"

namespace launch {

Status print(const std::string& text) {
    const bool written = std::fwrite(text.data(), 1, text.size(), stdout) == text.size();
    if (written && std::fflush(stdout) == 0) return Ok{};
    return output_error(errno);
}

void say(const std::string& text) {
    const std::string line = "launch: " + text + "\n";
    std::fwrite(line.data(), 1, line.size(), stderr);
}

bool wants_colour() {
    const char* refused = std::getenv("NO_COLOR");
    return isatty(STDOUT_FILENO) == 1 && (refused == nullptr || refused[0] == '\0');
}

}  // namespace launch
