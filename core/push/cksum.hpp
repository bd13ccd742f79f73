// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>

namespace launch {

/// What the command cksum prints of the same bytes: a CRC-32, most significant bit first, of them
/// and of their number (POSIX.1-2017, "cksum").
class Cksum {
  public:
    void add(std::span<const char> bytes);
    uint32_t value() const;

  private:
    uint32_t crc_ = 0;
    uint64_t size_ = 0;
};

}  // namespace launch
