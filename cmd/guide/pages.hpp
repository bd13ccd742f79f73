// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <string_view>

namespace launch::guide {

/// A page as it was written; CMake makes the table of the files in this folder (embed.cmake).
struct Page {
    std::string_view name;  ///< "hosts": the file's name
    std::string_view text;
};

/// What `launch help TOPIC` knows, in the order of the names.
std::span<const Page> topics();

/// The same of `launch help COMMAND`.
std::span<const Page> command_pages();

/// What `launch --help` prints, and the source of launch(1).
std::string_view screen_page();
std::string_view manual_page();

}  // namespace launch::guide
