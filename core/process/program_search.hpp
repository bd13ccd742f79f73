// SPDX-License-Identifier: MIT
#pragma once

#include <cerrno>
#include <string>
#include <vector>

namespace launch {

/// Where a program of that name may be, in order. `path`: as in PATH; empty: the usual folders.
std::vector<std::string> program_candidates(const std::string& program, const std::string& path);

/// Whether one of these may be executed.
bool is_in_path(const std::string& program, const std::string& path);

inline bool is_missing(int error) {
    return error == ENOENT || error == ENOTDIR;
}

/// Tries the candidates as execvp(3) does: after what is missing, may not be executed or is a
/// folder the search goes on, and any other fault ends it. `attempt` says 0 for the one that will
/// do, or errno. 0, or the fault that tells most: any but a missing file, the last one. Allocates
/// nothing, so that the child of a vfork may call it.
template <class Attempt>
int search_program(const std::vector<std::string>& candidates, Attempt attempt) {
    int told = ENOENT;
    for (const std::string& path : candidates) {
        const int error = attempt(path);
        if (error == 0) return 0;
        if (is_missing(error)) continue;
        told = error;
        if (error != EACCES && error != EISDIR) break;
    }
    return told;
}

}  // namespace launch
