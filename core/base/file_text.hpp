// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>

namespace launch {

/// The contents of a file, or why it could not be read.
struct FileText {
    std::string text;
    int error = 0;  ///< errno
};

/// At most so many bytes of it, from its beginning.
FileText read_file(const std::string& path, size_t most = SIZE_MAX);
/// Reads the rest of an open file, from its present offset.
FileText read_file(int file, size_t most = SIZE_MAX);

/// This errno of opening a file, or of looking at it, says that there is no such file. Any other
/// error leaves that open: to take it for "no file" is to go by less than the user wrote.
bool is_absent(int error);

}  // namespace launch
