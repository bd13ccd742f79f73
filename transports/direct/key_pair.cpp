// SPDX-License-Identifier: MIT
#include "transports/direct/key_pair.hpp"

#include "core/wire/contact.hpp"

namespace launch {
namespace {

const unsigned char* raw(const std::string& bytes) {
    return reinterpret_cast<const unsigned char*>(bytes.data());
}

unsigned char* raw(std::string& bytes) {
    return reinterpret_cast<unsigned char*>(bytes.data());
}

}  // namespace

std::optional<KeyPair> KeyPair::make(const std::string& secret) {
    const LibCrypto& lib = LibCrypto::get();
    if (!lib.why_not.empty()) return std::nullopt;
    Key key(lib.EVP_PKEY_new_raw_private_key(EVP_PKEY_X25519, nullptr, raw(secret), secret.size()),
            lib.EVP_PKEY_free);
    std::string public_key(public_key_size, '\0');
    size_t size = public_key.size();
    const bool made = key &&
                      lib.EVP_PKEY_get_raw_public_key(key.get(), raw(public_key), &size) == 1 &&
                      size == public_key.size();
    if (!made) return std::nullopt;
    return KeyPair(std::move(key), std::move(public_key));
}

std::optional<std::string> KeyPair::shared_with(const std::string& public_key) const {
    const LibCrypto& lib = LibCrypto::get();
    const Key peer(lib.EVP_PKEY_new_raw_public_key(EVP_PKEY_X25519, nullptr, raw(public_key),
                                                   public_key.size()),
                   lib.EVP_PKEY_free);
    const std::unique_ptr<EVP_PKEY_CTX, decltype(lib.EVP_PKEY_CTX_free)> context(
        peer ? lib.EVP_PKEY_CTX_new(key_.get(), nullptr) : nullptr, lib.EVP_PKEY_CTX_free);
    std::string shared(public_key_size, '\0');
    size_t size = shared.size();
    // OpenSSL refuses a result of zeros, as RFC 7748, section 6.1, lets it.
    const bool made = context && lib.EVP_PKEY_derive_init(context.get()) > 0 &&
                      lib.EVP_PKEY_derive_set_peer(context.get(), peer.get()) > 0 &&
                      lib.EVP_PKEY_derive(context.get(), raw(shared), &size) > 0 &&
                      size == shared.size();
    if (!made) return std::nullopt;
    return shared;
}

}  // namespace launch
