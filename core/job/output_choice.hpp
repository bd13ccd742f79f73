// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>

namespace launch {

/// The size of a terminal in characters; 0: not known.
struct WindowSize {
    uint16_t rows = 0;
    uint16_t columns = 0;

    bool operator==(const WindowSize&) const = default;
};

/// Whether the head holds output until the end of the job, and shows what is the same once.
enum class GatherChoice : uint8_t {
    none,
    blocks,  ///< each different output, with those who wrote it
    diff,    ///< the most frequent one, and how the others differ from it
    json,    ///< all of it, for scripts
};

/// Which ranks have a terminal instead of pipes.
enum class PtyChoice : uint8_t {
    none,
    user,  ///< the one that reads standard input: it has the user's
    each,  ///< every rank, for its file: nobody types there
};

/// Files that ranks' output goes to. Paths are patterns (core/job/output_pattern.hpp), absolute
/// when the rank's fields are filled in.
struct OutputFilesChoice {
    std::string out;       ///< for standard output; empty: the screen
    std::string err;       ///< for standard error; empty: the screen
    bool there = false;    ///< written by the node that runs the rank, not by the head
    bool copy = false;     ///< the screen gets all of it, too
    bool replace = false;  ///< files that were there before; else they are an error

    bool any() const { return !out.empty() || !err.empty(); }
    bool operator==(const OutputFilesChoice&) const = default;
};

/// The destination and form of ranks' output. By default it goes to the screen as it comes.
struct OutputChoice {
    std::string label;       ///< a pattern that goes before every line; empty: none
    bool color_out = false;  ///< labels of standard output have the color of the rank
    bool color_err = false;
    bool prompts_out = false;  ///< a person sees it: what begins a line does not wait for its end
    bool prompts_err = false;
    OutputFilesChoice files;
    GatherChoice gather = GatherChoice::none;
    PtyChoice pty = PtyChoice::none;
    WindowSize window;  ///< of those terminals at first

    bool operator==(const OutputChoice&) const = default;
};

}  // namespace launch
