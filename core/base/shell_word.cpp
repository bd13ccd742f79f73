// SPDX-License-Identifier: MIT
#include "core/base/shell_word.hpp"

#include <algorithm>

namespace launch {
namespace {

bool plain(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           std::string_view("_./:@,+-=%").find(c) != std::string_view::npos;
}

/// Characters that mean something inside single quotes to one of the shells: the quote itself,
/// the backslash (fish) and the exclamation mark (csh's history).
bool escaped(char c) {
    return c == '\'' || c == '\\' || c == '!';
}

/// zsh expands a leading `=`, csh takes a leading `%` for a job.
bool plain_start(char c) {
    return c != '=' && c != '%';
}

}  // namespace

std::string shell_word(std::string_view word) {
    if (word.empty()) return "''";
    if (plain_start(word.front()) && std::all_of(word.begin(), word.end(), plain))
        return std::string(word);
    std::string quoted;
    bool inside = false;
    const auto toggle = [&] {
        quoted += '\'';
        inside = !inside;
    };
    for (const char c : word) {
        if (escaped(c) == inside) toggle();
        if (escaped(c)) quoted += '\\';
        quoted += c;
    }
    if (inside) toggle();
    return quoted;
}

bool is_shell_line(std::string_view word) {
    return word.find_first_of(" \t\n;|&<>$`(") != word.npos;
}

}  // namespace launch
