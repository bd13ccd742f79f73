// SPDX-License-Identifier: MIT
#include "core/debug/debugger.hpp"

#include <algorithm>
#include <initializer_list>
#include <span>

#include "core/base/base_name.hpp"
#include "core/base/shell_word.hpp"
#include "core/process/program_search.hpp"

namespace launch {
namespace {

/// Such as no program writes, and no user's settings.
constexpr std::string_view gdb_prompt = "(launch-gdb) ";
constexpr std::string_view lldb_prompt = "(lldb) ";
constexpr std::string_view pdb_prompt = "(Pdb) ";
/// A longer line that has no end yet is taken for a part of an answer.
constexpr size_t longest_prompt = 64;

bool is_python(std::string_view program) {
    return base_name(program).starts_with("python");
}

/// A line of a command list or of a definition, below others: "  >".
bool asks_for_more(std::string_view line) {
    const auto begin = line.find_first_not_of(' ');
    return begin != std::string_view::npos && line.substr(begin) == ">";
}

bool may_be_prompt(std::string_view line) {
    if (line.empty() || line.size() > longest_prompt) return false;
    constexpr std::string_view ends[] = {"> ", ") ", "# ", "$ ", ": ", ">"};
    return std::any_of(std::begin(ends), std::end(ends),
                       [line](std::string_view end) { return line.ends_with(end); });
}

/// gdb starts the program by a shell, which the wrapper follows. A shell takes descriptors of one
/// digit only, so they are opened by name.
std::string exec_wrapper(ProgramStreams streams) {
    const auto path = [](int fd) { return "/proc/self/fd/" + std::to_string(fd); };
    const std::string script =
        "exec \"$0\" \"$@\" </dev/null >" + path(streams.out) + " 2>" + path(streams.err);
    return "set exec-wrapper /bin/sh -c " + shell_word(script);
}

/// A command of several words, which a shell takes apart.
std::vector<std::string> by_shell(const std::string& command) {
    return {"/bin/sh", "-c", "exec " + command + " \"$@\"", "sh"};
}

}  // namespace

Debugger::Debugger(std::string_view command)
    : command_(command),
      name_(base_name(command.substr(0, command.find(' ')))),
      kind_(name_ == "gdb"    ? Kind::gdb
            : name_ == "lldb" ? Kind::lldb
            : name_ == "pdb"  ? Kind::pdb
                              : Kind::other) {}

/// The program that a host must have. pdb is a module of the interpreter that is to run the
/// program.
std::string Debugger::needs(const std::vector<std::string>& program) const {
    if (kind_ != Kind::pdb) return command_.substr(0, command_.find(' '));
    return is_python(program.front()) ? program.front() : "python3";
}

std::vector<std::string> Debugger::words(const std::vector<std::string>& program,
                                         ProgramStreams streams) const {
    std::vector<std::string> words = by_shell(command_);
    const auto add = [&words](std::initializer_list<std::string> more) {
        words.insert(words.end(), more);
    };
    auto of_program = std::span(program);
    switch (kind_) {
        case Kind::gdb:
            add({"-q", "-ex", "set prompt " + std::string(gdb_prompt), "-ex", "set confirm off",
                 "-ex", "set height 0", "-ex", "set width 0",
                 // Threads come and go in another order at each rank.
                 "-ex", "set print thread-events off"});
            if (!is_attached(program)) add({"-ex", exec_wrapper(streams), "--args"});
            break;
        case Kind::lldb:
            add({"--no-use-colors", is_attached(program) ? "-p" : "--"});
            if (is_attached(program)) of_program = of_program.subspan(1);
            break;
        case Kind::pdb:
            words = {needs(program), "-m", "pdb"};
            if (is_python(program.front())) of_program = of_program.subspan(1);
            break;
        case Kind::other: break;
    }
    words.insert(words.end(), of_program.begin(), of_program.end());
    return words;
}

bool Debugger::is_prompt(std::string_view line) const {
    switch (kind_) {
        case Kind::gdb: return line == gdb_prompt || asks_for_more(line);
        case Kind::lldb: return line == lldb_prompt || asks_for_more(line);
        case Kind::pdb: return line == pdb_prompt || line == "... " || asks_for_more(line);
        case Kind::other: return may_be_prompt(line);
    }
    return false;
}

std::optional<NotStarted> Debugger::find_obstacle(const std::vector<std::string>& program,
                                                  ProgramPlace place,
                                                  const LookingAt& looking_at) const {
    place.program = program.front();
    if (starts_executables())
        if (auto look = look_at_program(place, looking_at); look.obstacle) return look.obstacle;
    place.program = needs(program);
    auto obstacle = look_at_program(place, looking_at).obstacle;
    if (obstacle && is_missing(obstacle->status.value))
        obstacle->detail = place.program +
                           " is not installed; install it there, or name another "
                           "debugger with --debugger";
    return obstacle;
}

std::vector<std::string> attached_program(pid_t process) {
    const std::string number = std::to_string(process);
    return {"/proc/" + number + "/exe", number};
}

bool is_attached(const std::vector<std::string>& program) {
    return program.size() == 2 && program[0] == "/proc/" + program[1] + "/exe";
}

}  // namespace launch
