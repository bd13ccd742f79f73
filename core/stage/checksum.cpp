// SPDX-License-Identifier: MIT
#include "core/stage/checksum.hpp"

// The library as part of this file: nothing to link, and nothing that a host would need.
#define XXH_INLINE_ALL
#include <xxhash.h>

namespace launch {

struct Checksum::State {
    XXH64_state_t xxh;
};

Checksum::Checksum() : state_(std::make_unique<State>()) {
    XXH64_reset(&state_->xxh, 0);
}

Checksum::~Checksum() = default;
Checksum::Checksum(Checksum&&) noexcept = default;
Checksum& Checksum::operator=(Checksum&&) noexcept = default;

void Checksum::add(std::string_view bytes) {
    XXH64_update(&state_->xxh, bytes.data(), bytes.size());
}

uint64_t Checksum::value() const {
    return XXH64_digest(&state_->xxh);
}

}  // namespace launch
