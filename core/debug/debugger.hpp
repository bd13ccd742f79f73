// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <sys/types.h>
#include <vector>

#include "core/process/why_not_started.hpp"

namespace launch {

/// Where the program of a rank that runs under a debugger writes, as descriptors of the debugger.
struct ProgramStreams {
    int out = -1;
    int err = -1;
};

/// A debugger that reads commands from its standard input and writes a prompt when it has answered,
/// as the user named it: "gdb", "pdb", "lldb", or a command before which the program's words are
/// put, "gdb -x setup.gdb".
class Debugger {
  public:
    explicit Debugger(std::string_view command);

    /// The name of the program: "gdb" of "/usr/bin/gdb -x setup.gdb".
    const std::string& name() const { return name_; }
    /// Why `program`, whose first word is looked up at that place, cannot run under it on this
    /// host; nothing: it looks well. Blocks.
    std::optional<NotStarted> find_obstacle(const std::vector<std::string>& program,
                                            ProgramPlace place,
                                            const LookingAt& looking_at = nullptr) const;
    /// The words that run `program` under it. Its own streams are the debugger's; those of the
    /// program are `streams` if the debugger can tell them apart from its own, as gdb can.
    std::vector<std::string> words(const std::vector<std::string>& program,
                                   ProgramStreams streams) const;
    /// It can be attached to a process that runs already (attached_program()).
    bool can_attach() const { return starts_executables(); }
    /// It writes prompts only to a terminal: to one without an echo, where TERM is "dumb".
    bool wants_terminal() const { return kind_ == Kind::lldb || kind_ == Kind::other; }
    /// Whether a line without an end is a prompt: nothing follows before a command comes.
    bool is_prompt(std::string_view line) const;

  private:
    enum class Kind : uint8_t { gdb, lldb, pdb, other };

    bool starts_executables() const { return kind_ == Kind::gdb || kind_ == Kind::lldb; }
    std::string needs(const std::vector<std::string>& program) const;

    std::string command_;
    std::string name_;
    Kind kind_;
};

/// The words that stand for a process that runs already, in the place of those of a program: its
/// executable, and its number.
std::vector<std::string> attached_program(pid_t process);
bool is_attached(const std::vector<std::string>& program);

}  // namespace launch
