// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/job/stage_spec.hpp"
#include "core/wire/frame.hpp"

namespace launch {

/// Cuts the files of a job, one after the other, into numbered segments. Every file has at least
/// one, an empty file an empty one. Sans I/O.
class Segments {
  public:
    static constexpr uint64_t size = max_data;

    explicit Segments(const std::vector<StagedFile>& files);

    struct Segment {
        size_t file = 0;
        uint64_t offset = 0;
        size_t length = 0;
        bool last = false;  ///< of its file
    };
    /// `number` is below total().
    Segment at(uint64_t number) const;
    uint64_t total() const { return starts_.back(); }
    /// The first segment of a file; of the file after the last one: total().
    uint64_t start_of(size_t file) const { return starts_[file]; }

  private:
    std::vector<uint64_t> sizes_;
    std::vector<uint64_t> starts_;
};

}  // namespace launch
