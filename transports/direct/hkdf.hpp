// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>

namespace launch {

struct HkdfInput {
    std::string key;
    std::string salt;
    std::string info;
};

/// Makes `size` bytes of a key: HKDF (RFC 5869) with SHA-256, OpenSSL's. Nothing where that is not
/// to be had.
std::optional<std::string> hkdf(const HkdfInput& input, size_t size);

}  // namespace launch
