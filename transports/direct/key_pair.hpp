// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "transports/direct/libcrypto.hpp"

namespace launch {

/// A node's key pair for X25519, the Diffie-Hellman function of RFC 7748, OpenSSL's.
class KeyPair {
  public:
    /// A pair made from 32 random bytes. Nothing if X25519 is not available.
    static std::optional<KeyPair> make(const std::string& secret);

    const std::string& public_key() const { return public_key_; }
    /// The secret that these two share and that no third party can compute. Nothing for bytes that
    /// are not a public key, or a key with which all pairs share the same secret.
    std::optional<std::string> shared_with(const std::string& public_key) const;

  private:
    using Key = std::unique_ptr<EVP_PKEY, decltype(LibCrypto::EVP_PKEY_free)>;
    KeyPair(Key key, std::string public_key)
        : key_(std::move(key)), public_key_(std::move(public_key)) {}

    Key key_;
    std::string public_key_;
};

}  // namespace launch
