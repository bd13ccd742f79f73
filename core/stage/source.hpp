// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/base/error.hpp"
#include "core/base/fd.hpp"
#include "core/job/stage_spec.hpp"
#include "core/stage/checksum.hpp"

namespace launch {

/// A file at the head that is to be staged. Calls may block; one at a time.
class StageSource {
  public:
    explicit StageSource(StagedFile file) : file_(std::move(file)) {}

    /// It must be what it was when the job was planned.
    Status open();
    /// Reads the next piece, which bytes() are then.
    Status read();
    std::string_view bytes() const { return {buffer_.data(), length_}; }
    uint64_t begin() const { return position_ - length_; }
    /// How far it was read.
    uint64_t position() const { return position_; }
    bool finished() const { return position_ == file_.size; }
    uint64_t checksum() const { return checksum_.value(); }
    int descriptor() const { return fd_.get(); }
    const StagedFile& file() const { return file_; }
    /// No more is read here; the descriptor stays.
    void release_buffer() { buffer_ = {}; }

  private:
    StagedFile file_;
    UniqueFd fd_;
    std::vector<char> buffer_;
    size_t length_ = 0;
    uint64_t position_ = 0;
    Checksum checksum_;
};

}  // namespace launch
