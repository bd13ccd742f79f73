#pragma once

#include <algorithm>
#include <cstdint>

namespace launch {

/// How much output of a job a node may send before who reads it has read what was sent: so a reader
/// that stands still keeps nothing but its own job from the links. Sans I/O.
class OutputAccount {
  public:
    /// To read(): whatever is still to be sent.
    static constexpr uint64_t all = UINT64_MAX;

    /// Bytes that may be on their way; 0: any number.
    explicit OutputAccount(uint64_t window) : window_(window) {}

    /// A last piece may go beyond the window.
    bool has_room() const { return window_ == 0 || read_ >= sent_ || sent_ - read_ < window_; }
    void sent(uint64_t bytes) { sent_ += bytes; }
    /// So many have been read of all that was sent; a word of fewer is an old one.
    void read(uint64_t bytes) { read_ = std::max(read_, bytes); }

  private:
    uint64_t window_;
    uint64_t sent_ = 0;
    uint64_t read_ = 0;
};

}  // namespace launch
