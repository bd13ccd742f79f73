#include "core/stage/checksum.hpp"

#include <algorithm>
#include <bit>
#include <cstring>

namespace launch {
namespace {

constexpr uint64_t prime1 = 0x9E3779B185EBCA87;
constexpr uint64_t prime2 = 0xC2B2AE3D27D4EB4F;
constexpr uint64_t prime3 = 0x165667B19E3779F9;
constexpr uint64_t prime4 = 0x85EBCA77C2B2AE63;
constexpr uint64_t prime5 = 0x27D4EB2F165667C5;

/// Little-endian, whatever the machine. (A loop over the bytes stays one with -Os.)
template <size_t bytes>
uint64_t load(const char* at) {
    uint64_t value = 0;
    std::memcpy(&value, at, bytes);
    if constexpr (std::endian::native == std::endian::big) value = __builtin_bswap64(value);
    return value;
}

uint64_t round_of(uint64_t lane, uint64_t input) {
    return std::rotl(lane + input * prime2, 31) * prime1;
}

}  // namespace

void Checksum::add_stripe(const char* bytes) {
    for (size_t i = 0; i < lanes_.size(); ++i)
        lanes_[i] = round_of(lanes_[i], load<8>(bytes + 8 * i));
}

void Checksum::add(std::string_view bytes) {
    size_ += bytes.size();
    if (rest_size_ > 0) {
        const size_t n = bytes.copy(rest_.data() + rest_size_, stripe - rest_size_);
        rest_size_ += n;
        bytes.remove_prefix(n);
        if (rest_size_ < stripe) return;
        add_stripe(rest_.data());
    }
    for (; bytes.size() >= stripe; bytes.remove_prefix(stripe))
        add_stripe(bytes.data());
    rest_size_ = bytes.copy(rest_.data(), stripe);
}

uint64_t Checksum::value() const {
    uint64_t sum = prime5;
    if (size_ >= stripe) {
        sum = std::rotl(lanes_[0], 1) + std::rotl(lanes_[1], 7) + std::rotl(lanes_[2], 12) +
              std::rotl(lanes_[3], 18);
        for (const uint64_t lane : lanes_)
            sum = (sum ^ round_of(0, lane)) * prime1 + prime4;
    }
    sum += size_;
    size_t at = 0;
    for (; at + 8 <= rest_size_; at += 8)
        sum = std::rotl(sum ^ round_of(0, load<8>(&rest_[at])), 27) * prime1 + prime4;
    for (; at + 4 <= rest_size_; at += 4)
        sum = std::rotl(sum ^ (load<4>(&rest_[at]) * prime1), 23) * prime2 + prime3;
    for (; at < rest_size_; ++at)
        sum = std::rotl(sum ^ (load<1>(&rest_[at]) * prime5), 11) * prime1;
    sum = (sum ^ (sum >> 33)) * prime2;
    sum = (sum ^ (sum >> 29)) * prime3;
    return sum ^ (sum >> 32);
}

}  // namespace launch
