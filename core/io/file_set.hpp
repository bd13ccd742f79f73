// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

#include "core/base/error.hpp"
#include "core/base/fd.hpp"
#include "core/io/byte_sink.hpp"

namespace launch {

/// Any number of files that are written bit by bit: a file is made with its first bytes, and so are
/// the folders above it, and the number of open files is limited. Blocks.
class FileSet : public ByteSink {
  public:
    enum class Existing : uint8_t {
        refuse,   ///< a file that was there before is an error
        replace,  ///< it is emptied
    };
    explicit FileSet(Existing existing) : existing_(existing) {}

    /// Adds to the end of the file. An error is of kind output, and names the file.
    Status append(const std::string& path, std::string_view bytes) override;

    static constexpr size_t most_open = 64;

  private:
    struct File {
        UniqueFd fd;
        uint64_t used_at = 0;
    };
    Result<int> open_file(const std::string& path);
    void make_room();

    Existing existing_;
    uint64_t time_ = 0;
    std::unordered_map<std::string, File> open_;
    std::unordered_set<std::string> made_;
};

}  // namespace launch
