// SPDX-License-Identifier: MIT
#include "cmd/console.hpp"

#include <cerrno>
#include <cstdio>
#include <cstdlib>

#include "cmd/exit_code.hpp"
#include "core/io/output_error.hpp"

namespace launch {

Status print(std::string_view text) {
    const bool written = std::fwrite(text.data(), 1, text.size(), stdout) == text.size();
    if (written && std::fflush(stdout) == 0) return Ok{};
    return output_error(errno);
}

int show(const std::string& text, const std::string& hint) {
    auto printed = print(text);
    if (printed) return exit_code::success;
    if (!hint.empty()) printed.error().hint = hint;
    return fail(printed.error());
}

void say(const std::string& text) {
    const std::string line = "launch: " + text + "\n";
    std::fwrite(line.data(), 1, line.size(), stderr);
}

int fail(const Error& error) {
    if (error.kind != ErrorKind::reader_left) say(describe(error));
    for (const auto& other : error.others)
        say(describe(other));
    return exit_code_of(error);
}

int fail(const Mistakes& mistakes) {
    int code = exit_code::success;
    for (const auto& mistake : mistakes)
        code = fail(mistake);
    return code;
}

void tell_notes(const std::vector<std::string>& notes) {
    for (const auto& note : notes)
        say("note: " + note);
}

void tell_other_way(const Reach& reach, const Error& error) {
    if (const auto text = other_way(reach, error); !text.empty()) say(text);
}

std::string log_wanted() {
    const char* log = std::getenv("LAUNCH_LOG");
    return log != nullptr ? log : "";
}

}  // namespace launch
