#pragma once

#include <cstdint>
#include <string>

namespace launch {

/// What is in a file, or why it could not be read.
struct FileText {
    std::string text;
    int error = 0;  ///< errno
};

/// At most so many bytes of it, from its beginning.
FileText read_file(const std::string& path, size_t most = SIZE_MAX);

}  // namespace launch
