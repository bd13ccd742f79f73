// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace launch {

/// How much output of a job a node may send before the job's reader has read what was sent. A
/// reader that stands still so keeps only its own job from the links. Sans I/O.
class OutputAccount {
  public:
    /// Returns the size, in bytes, at which a piece of output counts: each piece takes some memory
    /// beside its own bytes.
    static constexpr uint64_t size_of(uint64_t bytes) { return bytes + 64; }
    /// To read(): whatever is still to be sent.
    static constexpr uint64_t all = UINT64_MAX;

    /// Bytes that may be on their way; 0: any number.
    explicit OutputAccount(uint64_t window) : window_(window) {}

    /// A last piece may go beyond the window.
    bool has_room() const { return window_ == 0 || read_ >= sent_ || sent_ - read_ < window_; }
    /// The reader has not read all, as far as this node knows.
    bool is_unread() const { return window_ != 0 && read_ < sent_; }
    /// The sizes of pieces, see size_of().
    void sent(uint64_t size) { sent_ += size; }
    /// All that was read so far. A smaller number than before comes late, and changes nothing.
    void read(uint64_t size) { read_ = std::max(read_, size); }

  private:
    uint64_t window_;
    uint64_t sent_ = 0;
    uint64_t read_ = 0;
};

}  // namespace launch
