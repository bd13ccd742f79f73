// SPDX-License-Identifier: MIT
#include "transports/direct/hkdf.hpp"

#include <memory>

#include "transports/direct/libcrypto.hpp"

namespace launch {
namespace {

/// Does what the header's macros and functions of either version do.
bool set(EVP_PKEY_CTX* context, int what, const std::string& bytes) {
    std::string copy = bytes;
    return LibCrypto::get().EVP_PKEY_CTX_ctrl(context, -1, EVP_PKEY_OP_DERIVE, what,
                                              static_cast<int>(copy.size()), copy.data()) > 0;
}

bool set_digest(EVP_PKEY_CTX* context) {
    const LibCrypto& lib = LibCrypto::get();
    void* digest = const_cast<EVP_MD*>(lib.EVP_sha256());  // it is only read
    return lib.EVP_PKEY_CTX_ctrl(context, -1, EVP_PKEY_OP_DERIVE, EVP_PKEY_CTRL_HKDF_MD, 0,
                                 digest) > 0;
}

}  // namespace

std::optional<std::string> hkdf(const HkdfInput& input, size_t size) {
    const LibCrypto& lib = LibCrypto::get();
    if (!lib.why_not.empty() || input.key.empty()) return std::nullopt;
    const std::unique_ptr<EVP_PKEY_CTX, decltype(lib.EVP_PKEY_CTX_free)> context(
        lib.EVP_PKEY_CTX_new_id(EVP_PKEY_HKDF, nullptr), lib.EVP_PKEY_CTX_free);
    if (!context || lib.EVP_PKEY_derive_init(context.get()) <= 0) return std::nullopt;
    const bool ready =
        set_digest(context.get()) && set(context.get(), EVP_PKEY_CTRL_HKDF_KEY, input.key) &&
        (input.salt.empty() || set(context.get(), EVP_PKEY_CTRL_HKDF_SALT, input.salt)) &&
        (input.info.empty() || set(context.get(), EVP_PKEY_CTRL_HKDF_INFO, input.info));
    std::string made(size, '\0');
    auto* const bytes = reinterpret_cast<unsigned char*>(made.data());
    if (!ready || lib.EVP_PKEY_derive(context.get(), bytes, &size) <= 0) return std::nullopt;
    if (size != made.size()) return std::nullopt;
    return made;
}

}  // namespace launch
