// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>

namespace launch {

/// XXH64 with seed 0, as `xxhsum -H64` prints it: fast, and no defence against intent, which the
/// links' encryption is. It finds what a disk or a mistake of ours did to a file.
class Checksum {
  public:
    Checksum();
    ~Checksum();
    Checksum(Checksum&&) noexcept;
    Checksum& operator=(Checksum&&) noexcept;

    void add(std::string_view bytes);
    /// The checksum of all bytes that were added.
    uint64_t value() const;

  private:
    struct State;  ///< of the xxHash library, whose header is large
    std::unique_ptr<State> state_;
};

}  // namespace launch
