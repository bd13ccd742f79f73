// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace launch {

class OpenFile {
  public:
    virtual ~OpenFile() = default;

    virtual uint64_t size() = 0;
    /// The bytes from `offset` on: `size` of them, fewer where the file ends or cannot be read.
    virtual std::string read(uint64_t offset, std::size_t size) = 0;
};

/// The files of a host, as far as one can look at them without leaving a trace.
class FileAccess {
  public:
    virtual ~FileAccess() = default;

    /// Null for what is no regular file, or cannot be read.
    virtual std::unique_ptr<OpenFile> open(const std::string& path) = 0;
    virtual bool is_executable(const std::string& path) = 0;
    /// The names in a folder, without order; a reasonable number of them.
    virtual std::vector<std::string> list(const std::string& folder) = 0;
    /// With symbolic links followed; empty where there is no such file.
    virtual std::string real_path(const std::string& path) = 0;
};

}  // namespace launch
