// SPDX-License-Identifier: MIT
#include "core/process/core_pattern.hpp"

#include "core/base/file_text.hpp"

namespace launch {
namespace {

std::string first_line(const char* path) {
    const std::string text = read_file(path).text;
    return text.substr(0, text.find('\n'));
}

void add_literal(std::string& to, char c) {
    if (std::string_view("*?[]\\").find(c) != std::string_view::npos) to += '\\';
    to += c;
}

void add_literal(std::string& to, std::string_view text) {
    for (const char c : text)
        add_literal(to, c);
}

/// The letters after a % of the pattern, each once; `on_character` gets each other character.
template <class OnField, class OnPlain>
void each_field(std::string_view text, OnField field, OnPlain on_character) {
    for (size_t i = 0; i < text.size(); ++i) {
        if (text[i] != '%')
            on_character(text[i]);
        else if (++i < text.size())
            field(text[i]);
    }
}

bool has_field(std::string_view text, std::string_view letters) {
    bool found = false;
    each_field(
        text, [&](char letter) { found = found || letters.find(letter) != std::string_view::npos; },
        [](char) {});
    return found;
}

}  // namespace

bool CorePattern::has_pid() const {
    return uses_pid || has_field(text, "p");
}

bool CorePattern::tells_apart() const {
    return uses_pid || has_field(text, "pPiI");
}

CorePattern core_pattern() {
    return {first_line("/proc/sys/kernel/core_pattern"),
            first_line("/proc/sys/kernel/core_uses_pid") == "1"};
}

std::optional<std::string> core_folder(const CorePattern& pattern, std::string_view folder) {
    const std::string_view text = pattern.text;
    const auto slash = text.rfind('/');
    if (slash == std::string_view::npos) return std::string(folder);
    const std::string_view above = text.substr(0, slash);
    if (above.find('%') != std::string_view::npos) return std::nullopt;
    if (above.empty()) return "/";
    if (above.starts_with('/')) return std::string(above);
    return std::string(folder) + "/" + std::string(above);
}

std::string core_glob(const CorePattern& pattern, std::string_view folder, pid_t process,
                      int signal) {
    std::string glob;
    if (!pattern.text.starts_with('/')) {
        add_literal(glob, folder);
        glob += '/';
    }
    bool names_process = false;
    const auto add_field = [&](char letter) {
        names_process = names_process || letter == 'p';
        if (letter == '%')
            glob += '%';
        else if (letter == 'p')
            glob += std::to_string(process);
        else if (letter == 's')
            glob += std::to_string(signal);
        else
            glob += '*';
    };
    each_field(pattern.text, add_field, [&](char c) { add_literal(glob, c); });
    if (pattern.uses_pid && !names_process) glob += "." + std::to_string(process);
    return glob;
}

}  // namespace launch
