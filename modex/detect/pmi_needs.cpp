// SPDX-License-Identifier: MIT
#include "modex/detect/pmi_needs.hpp"

#include <algorithm>
#include <cctype>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>

#include "core/base/environment.hpp"
#include "core/process/program_search.hpp"
#include "modex/detect/command_names.hpp"
#include "modex/detect/linked_mpi.hpp"
#include "modex/detect/python_mpi.hpp"
#include "modex/detect/shell_words.hpp"

namespace launch {
namespace {

constexpr int deepest = 4;              ///< scripts that call scripts
constexpr uint32_t most_lookups = 192;  ///< words that are looked for in PATH
constexpr uint32_t most_programs = 48;  ///< files that are looked into
constexpr std::size_t longest_script = 64U << 10;

std::string absolute(std::string path, const std::string& cwd) {
    while (path.starts_with("./"))
        path.erase(0, 2);
    return path.starts_with('/') || cwd.empty() ? path : cwd + "/" + path;
}

/// Looks at commands, and what they lead to, as far as the limits above.
class Look {
  public:
    Look(std::vector<std::string> env, std::string cwd, FileAccess& files)
        : env_(std::move(env)), cwd_(std::move(cwd)), files_(files), search_(files) {}

    void at_command(const std::vector<std::string>& words, int depth);
    PmiNeeds take();

  private:
    /// The kind of a word's file.
    enum class Found : uint8_t { nothing, program, shell, mpi_program };

    void at_text(std::string_view text, int depth);
    bool at_special(const std::vector<std::string>& words);
    Found at_word(const std::string& word, bool is_first, bool after_shell, int depth);
    Found at_file(const std::string& path, bool is_script, int depth);
    Found at_elf(const FoundElf& program);
    Found at_script(OpenFile& file, int depth);
    void at_python(const std::string& path);
    std::optional<std::string> find_program(const std::string& word);
    LoaderEnv loader_env() const;

    std::vector<std::string> env_;
    std::string cwd_;
    FileAccess& files_;
    LibrarySearch search_;
    PmiNeeds needs_;    ///< of programs
    PmiNeeds modules_;  ///< of modules of Python's
    std::vector<std::pair<std::string, Found>> seen_;
    uint32_t lookups_ = 0;
};

/// A program that links a library says more than a module that may be loaded.
PmiNeeds Look::take() {
    PmiNeeds needs = std::move(needs_);
    needs.pmi = needs.pmi || modules_.pmi;
    needs.pmix = needs.pmix || modules_.pmix;
    if (needs.libpmix.empty()) needs.libpmix = std::move(modules_.libpmix);
    if (!needs.library.empty() || modules_.library.empty()) return needs;
    needs.library = std::move(modules_.library);
    needs.program = std::move(modules_.program);
    needs.imported = true;
    return needs;
}

/// The first word is the command; of the others, each may be what the command runs.
void Look::at_command(const std::vector<std::string>& words, int depth) {
    if (depth > deepest || at_special(words)) return;
    bool is_first = true;
    bool after_shell = false;
    for (const auto& given : words) {
        if (given.starts_with('-') && !is_first) continue;
        const bool is_text = !is_first && given.find_first_of(" \t\n;&|") != std::string::npos;
        if (is_text) {
            at_text(given, depth + 1);
            continue;
        }
        if (is_assignment(given)) {
            const auto equals = given.find('=');
            const auto value = expand_variables(given.substr(equals + 1), env_);
            set_env(env_, given.substr(0, equals), value);
            continue;
        }
        const std::string word = expand_variables(given, env_);
        if (word.empty() || is_shell_builtin(word)) continue;
        if (is_launcher(word)) return;
        const Found found = at_word(word, is_first, after_shell, depth);
        if (found == Found::mpi_program) return;
        after_shell = found == Found::shell;
        is_first = false;
    }
}

/// Commands that are for the shell itself and change where the next ones are found.
bool Look::at_special(const std::vector<std::string>& words) {
    if (words.size() < 2 || words[0] != "cd") return false;
    const std::string folder = expand_variables(words[1], env_);
    if (!folder.empty()) cwd_ = absolute(folder, cwd_);
    return true;
}

void Look::at_text(std::string_view text, int depth) {
    for (const auto& command : shell_commands(text))
        at_command(command, depth);
}

Look::Found Look::at_word(const std::string& word, bool is_first, bool after_shell, int depth) {
    if (const auto path = find_program(word)) return at_file(*path, is_first, depth);
    // A script needs no permission to be executed if a shell gets it as an argument.
    if (after_shell) return at_file(absolute(word, cwd_), true, depth);
    return Found::nothing;
}

std::optional<std::string> Look::find_program(const std::string& word) {
    if (word.find('/') != std::string::npos) {
        auto path = absolute(word, cwd_);
        if (files_.is_executable(path)) return path;
        return std::nullopt;
    }
    const bool has_letter =
        std::any_of(word.begin(), word.end(), [](unsigned char c) { return std::isalpha(c) != 0; });
    if (!has_letter || ++lookups_ > most_lookups) return std::nullopt;
    for (const auto& candidate : program_candidates(word, env_value(env_, "PATH"))) {
        auto path = absolute(candidate, cwd_);
        if (files_.is_executable(path)) return path;
    }
    return std::nullopt;
}

/// `is_script`: read it as a shell's text even if it does not begin with "#!".
Look::Found Look::at_file(const std::string& path, bool is_script, int depth) {
    const auto before = std::find_if(seen_.begin(), seen_.end(),
                                     [&](const auto& seen) { return seen.first == path; });
    if (before != seen_.end()) return before->second;
    if (seen_.size() >= most_programs) return Found::nothing;
    const std::size_t mine = seen_.size();
    seen_.emplace_back(path, Found::program);

    Found found = Found::program;
    if (const auto program = search_.read(path)) {
        found = at_elf(*program);
    } else if (const auto file = files_.open(path)) {
        const std::string start = file->read(0, 2);
        if (start == "#!" || is_script) found = at_script(*file, depth + 1);
    }
    seen_[mine].second = found;
    return found;
}

Look::Found Look::at_elf(const FoundElf& program) {
    if (add_linked_mpi(program, loader_env(), search_, needs_)) return Found::mpi_program;
    if (is_python(program.path)) at_python(program.path);
    return is_shell(program.path) ? Found::shell : Found::program;
}

void Look::at_python(const std::string& path) {
    for (const auto& library : mpi4py_libraries(path, env_, files_)) {
        if (const auto module = search_.read(library))
            add_linked_mpi(*module, loader_env(), search_, modules_);
    }
    // Nobody says that the program imports it: another may load our client library.
    needs_.pmi = true;
}

Look::Found Look::at_script(OpenFile& file, int depth) {
    const std::string text = file.read(0, std::min<uint64_t>(file.size(), longest_script));
    if (depth > deepest || text.find('\0') != std::string::npos) return Found::program;
    bool for_shell = true;
    if (text.starts_with("#!")) {
        const auto line = std::string_view(text).substr(2, text.find('\n') - 2);
        const auto commands = shell_commands(line);
        if (commands.empty()) return Found::program;
        at_command(commands[0], depth);
        for_shell = std::any_of(commands[0].begin(), commands[0].end(),
                                [](const auto& word) { return is_shell(word); });
    }
    if (for_shell) at_text(text, depth);
    return Found::program;
}

LoaderEnv Look::loader_env() const {
    return {.library_path = env_value(env_, "LD_LIBRARY_PATH"),
            .preload = env_value(env_, "LD_PRELOAD")};
}

}  // namespace

PmiNeeds needs_of(const std::vector<std::string>& argv, std::vector<std::string> env,
                  std::string cwd, FileAccess& files) {
    Look look(std::move(env), std::move(cwd), files);
    look.at_command(argv, 0);
    PmiNeeds needs = look.take();
    if (!needs.pmix) needs.pmi = true;
    return needs;
}

}  // namespace launch
