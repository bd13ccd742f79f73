// SPDX-License-Identifier: MIT
#include "transports/ssh/sha1.hpp"

#include <algorithm>
#include <bit>
#include <cstring>

namespace launch {
namespace {

constexpr size_t block_size = 64;
using Digest = std::array<uint8_t, 20>;
using Block = std::array<uint8_t, block_size>;

/// SHA-1 as it comes, without a copy of the message: tens of thousands of these are computed
/// where a large known_hosts is hashed.
class Sha1 {
  public:
    void add(const uint8_t* bytes, size_t size) {
        length_ += size;
        while (size > 0) {
            const size_t n = std::min(size, block_size - filled_);
            std::memcpy(block_.data() + filled_, bytes, n);
            filled_ += n;
            bytes += n;
            size -= n;
            if (filled_ == block_size) compress();
        }
    }

    Digest finish() {
        const uint64_t bits = length_ * 8;
        block_[filled_++] = 0x80;
        if (filled_ > block_size - 8) {
            std::fill(block_.begin() + static_cast<std::ptrdiff_t>(filled_), block_.end(), 0);
            compress();
        }
        std::fill(block_.begin() + static_cast<std::ptrdiff_t>(filled_), block_.end(), 0);
        for (size_t i = 0; i < 8; ++i)
            block_[block_size - 1 - i] = static_cast<uint8_t>(bits >> (8 * i));
        compress();
        Digest digest;
        for (size_t i = 0; i < digest.size(); ++i)
            digest[i] = static_cast<uint8_t>(state_[i / 4] >> (24 - 8 * (i % 4)));
        return digest;
    }

  private:
    void compress() {
        filled_ = 0;
        std::array<uint32_t, 80> w;
        for (size_t i = 0; i < 16; ++i) {
            const uint8_t* b = block_.data() + 4 * i;
            w[i] = uint32_t(b[0]) << 24 | uint32_t(b[1]) << 16 | uint32_t(b[2]) << 8 | b[3];
        }
        for (size_t i = 16; i < 80; ++i)
            w[i] = std::rotl(w[i - 3] ^ w[i - 8] ^ w[i - 14] ^ w[i - 16], 1);
        uint32_t a = state_[0], b = state_[1], c = state_[2], d = state_[3], e = state_[4];
        const auto rounds = [&](size_t first, uint32_t constant, auto mix) {
            for (size_t i = first; i < first + 20; ++i) {
                const uint32_t next = std::rotl(a, 5) + mix(b, c, d) + e + w[i] + constant;
                e = d;
                d = c;
                c = std::rotl(b, 30);
                b = a;
                a = next;
            }
        };
        const auto parity = [](uint32_t x, uint32_t y, uint32_t z) { return x ^ y ^ z; };
        rounds(0, 0x5a827999, [](uint32_t x, uint32_t y, uint32_t z) { return z ^ (x & (y ^ z)); });
        rounds(20, 0x6ed9eba1, parity);
        rounds(40, 0x8f1bbcdc,
               [](uint32_t x, uint32_t y, uint32_t z) { return (x & y) | (z & (x | y)); });
        rounds(60, 0xca62c1d6, parity);
        state_[0] += a;
        state_[1] += b;
        state_[2] += c;
        state_[3] += d;
        state_[4] += e;
    }

    std::array<uint32_t, 5> state_{0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0};
    Block block_{};
    size_t filled_ = 0;
    uint64_t length_ = 0;
};

const uint8_t* bytes_of(std::string_view text) {
    return reinterpret_cast<const uint8_t*>(text.data());
}

}  // namespace

std::array<uint8_t, 20> hmac_sha1(std::string_view key, std::string_view text) {
    Block padded{};
    if (key.size() > block_size) {
        Sha1 hash;
        hash.add(bytes_of(key), key.size());
        const Digest shorter = hash.finish();
        std::copy(shorter.begin(), shorter.end(), padded.begin());
    } else {
        std::copy(key.begin(), key.end(), padded.begin());
    }
    const auto masked = [&](uint8_t mask) {
        Block block;
        for (size_t i = 0; i < block_size; ++i)
            block[i] = padded[i] ^ mask;
        return block;
    };
    Sha1 inner;
    inner.add(masked(0x36).data(), block_size);
    inner.add(bytes_of(text), text.size());
    const Digest digest = inner.finish();
    Sha1 outer;
    outer.add(masked(0x5c).data(), block_size);
    outer.add(digest.data(), digest.size());
    return outer.finish();
}

}  // namespace launch
