// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <sys/types.h>

namespace launch {

/// How the kernel of this machine names core files, see core(5).
struct CorePattern {
    std::string text;       ///< kernel.core_pattern
    bool uses_pid = false;  ///< kernel.core_uses_pid

    bool operator==(const CorePattern&) const = default;

    /// The kernel gives core files to a program, and makes none.
    bool is_program() const { return text.starts_with('|'); }
    /// The name has the process's number, as this host's processes know it.
    bool has_pid() const;
    /// The name tells cores of different processes apart, maybe by a number in another container or
    /// that of a thread.
    bool tells_apart() const;
};

CorePattern core_pattern();

/// The folder in which core files of a process that was in `folder` are made. Nothing: fields of
/// the pattern decide that.
std::optional<std::string> core_folder(const CorePattern& pattern, std::string_view folder);

/// A pattern of glob(7) for the core file of a process that was in `folder`. A field that is not
/// known of the process, such as its time of death, may have any text.
std::string core_glob(const CorePattern& pattern, std::string_view folder, pid_t process,
                      int signal);

}  // namespace launch
