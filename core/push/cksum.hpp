// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>

namespace launch {

/// The output of the command cksum for the same bytes: a CRC-32, most significant bit first, of the
/// bytes and of their number (POSIX.1-2017, "cksum").
class Cksum {
  public:
    void add(std::span<const char> bytes);
    uint32_t value() const;

  private:
    uint32_t crc_ = 0;
    uint64_t size_ = 0;
};

}  // namespace launch
