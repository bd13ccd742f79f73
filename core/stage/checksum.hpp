#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace launch {

/// XXH64 with seed 0, as doc/xxhash_spec.md of the xxHash library defines it (and `xxhsum -H64`
/// prints it): fast, and no defence against intent, which the links' encryption is. It finds what
/// a disk or a mistake of ours did to a file.
class Checksum {
  public:
    void add(std::string_view bytes);
    /// Of all that was added.
    uint64_t value() const;

  private:
    static constexpr size_t stripe = 32;
    static constexpr uint64_t prime1 = 0x9E3779B185EBCA87;
    static constexpr uint64_t prime2 = 0xC2B2AE3D27D4EB4F;

    void add_stripe(const char* bytes);

    std::array<uint64_t, 4> lanes_{prime1 + prime2, prime2, 0, 0 - prime1};
    std::array<char, stripe> rest_{};
    size_t rest_size_ = 0;
    uint64_t size_ = 0;
};

}  // namespace launch
