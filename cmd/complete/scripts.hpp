// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <string_view>

namespace launch {

/// The script that teaches a shell to complete launch's words: a file of completions/, which CMake
/// makes a table of (cmd/complete/scripts.cmake).
struct CompletionScript {
    std::string_view shell;
    std::string_view text;
};

std::span<const CompletionScript> completion_scripts();

}  // namespace launch
