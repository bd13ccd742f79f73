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
    /// Of 32 random bytes. Nothing where X25519 is not to be had.
    static std::optional<KeyPair> make(const std::string& secret);

    const std::string& public_key() const { return public_key_; }
    /// What these two have in common and nobody else can make. Nothing for what is no public key,
    /// or one with which everybody has the same in common.
    std::optional<std::string> shared_with(const std::string& public_key) const;

  private:
    using Key = std::unique_ptr<EVP_PKEY, decltype(LibCrypto::EVP_PKEY_free)>;
    KeyPair(Key key, std::string public_key)
        : key_(std::move(key)), public_key_(std::move(public_key)) {}

    Key key_;
    std::string public_key_;
};

}  // namespace launch
