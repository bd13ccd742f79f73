// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "core/base/error.hpp"
#include "core/base/fd.hpp"

namespace launch {

/// The executable that this process runs, as a file to read, also when it has no name any more.
/// Only what a loader needs of it: symbols and section headers, which lie behind that, are left.
class Image {
  public:
    static Result<Image> open();

    uint64_t size() const { return size_; }
    /// See Cksum.
    uint32_t checksum() const { return checksum_; }
    /// Fills the buffer from there on: it lies within the image.
    Status read(std::span<char> buffer, uint64_t offset) const;

  private:
    Image(UniqueFd file, uint64_t size) : file_(std::move(file)), size_(size) {}
    Status sum_up();

    UniqueFd file_;
    uint64_t size_;
    uint32_t checksum_ = 0;
};

/// As uname -m has it.
std::string own_machine();

}  // namespace launch
