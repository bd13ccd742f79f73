#include "transports/remote_command.hpp"

#include "core/base/shell_word.hpp"
#include "core/push/trusted_path.hpp"
#include "core/transport.hpp"

namespace launch {
namespace {

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
