// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>

namespace launch::fuzz {

/// While it lives, all memory that is asked for counts, given back or not; more than `most` bytes
/// is a fault of what ran (require()). Counted only where the build has AddressSanitizer, as the
/// fuzzers' has; one at a time.
class AllocationLimit {
  public:
    explicit AllocationLimit(size_t most);
    AllocationLimit(const AllocationLimit&) = delete;
    AllocationLimit& operator=(const AllocationLimit&) = delete;
    ~AllocationLimit();

    /// Last: throws where it was more.
    void check() const;

  private:
    size_t most_;
};

/// What a decoder may take for an input: vectors of values that each need a byte or more there.
inline size_t in_proportion(size_t input) {
    return (64u << 10) + 256 * input;
}

}  // namespace launch::fuzz
