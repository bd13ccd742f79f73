// SPDX-License-Identifier: MIT
#pragma once

#include <string_view>

namespace launch {

/// The text of a file that is part of the executable. CMake makes headers of them, such as
/// "embedded/topic_pages.hpp" (cmd/embed.cmake).
struct EmbeddedText {
    std::string_view name;  ///< a part of the file's name: "hosts", or "bash" of launch.bash
    std::string_view text;
};

}  // namespace launch
