// SPDX-License-Identifier: MIT
#include "transports/remote_command.hpp"

#include "core/base/shell_word.hpp"
#include "core/push/trusted_path.hpp"
#include "core/transport.hpp"

namespace launch {
namespace {

/// One that is looked for in PATH is as safe as the user's PATH there; the shell runs the test.
bool is_to_be_tested(const std::string& path) {
    return path.starts_with('/') && path != "/bin/sh";
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
    return "exec " + shell_line(remote_words(argv, otherwise, owners));
}

std::vector<std::string> remote_words(const std::vector<std::string>& argv,
                                      const std::vector<std::string>& otherwise,
                                      const std::vector<uint32_t>& owners) {
    const bool is_tested = !otherwise.empty() || is_to_be_tested(argv.at(0));
    return is_tested ? tested(argv, otherwise, owners) : argv;
}

}  // namespace launch
