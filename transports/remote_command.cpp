#include "transports/remote_command.hpp"

#include <algorithm>

#include "core/push/trusted_path.hpp"
#include "core/transport.hpp"

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

/// One that is looked for in PATH is as safe as the user's PATH there.
bool is_to_be_tested(const std::string& path) {
    return path.starts_with('/');
}

/// By /bin/sh, as login shells have no common words for that.
std::vector<std::string> tested(const std::vector<std::string>& argv,
                                const std::vector<std::string>& otherwise,
                                const std::vector<uint32_t>& owners) {
    const std::string run = "exec \"$p\" \"$@\"";
    const std::string test = "p=$0; " + trust_test(owners);
    const std::string script = otherwise.empty()
                                   ? "test -x \"$0\" || exec \"$0\" \"$@\"; { " + test +
                                         "; } || { echo \"$0\": " + std::string(others_may_write) +
                                         " >&2; exit 126; }; " + run
                                   : test + " && " + run + "; exec " + shell_line(otherwise);
    std::vector<std::string> words{"/bin/sh", "-c", script};
    words.insert(words.end(), argv.begin(), argv.end());
    return words;
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

std::string shell_line(const std::vector<std::string>& words) {
    std::string line;
    for (const auto& word : words) {
        if (!line.empty()) line += ' ';
        line += shell_word(word);
    }
    return line;
}

std::string remote_command(const std::vector<std::string>& argv,
                           const std::vector<std::string>& otherwise,
                           const std::vector<uint32_t>& owners) {
    const std::string& path = argv.at(0);
    if (is_to_be_tested(path)) return "exec " + shell_line(tested(argv, otherwise, owners));
    std::string command = "exec " + shell_line(argv);
    if (otherwise.empty()) return command;
    // `test` is part of the shells (but csh), and `if` is written in three ways.
    return "test -x " + shell_word(path) + " && " + command + "; exec " + shell_line(otherwise);
}

std::vector<std::string> remote_words(const std::vector<std::string>& argv,
                                      const std::vector<std::string>& otherwise,
                                      const std::vector<uint32_t>& owners) {
    if (is_to_be_tested(argv.at(0))) return tested(argv, otherwise, owners);
    if (otherwise.empty()) return argv;
    return {"/bin/sh", "-c", remote_command(argv, otherwise, owners)};
}

}  // namespace launch
