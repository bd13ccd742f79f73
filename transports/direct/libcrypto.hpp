// SPDX-License-Identifier: MIT
#pragma once

#include <openssl/evp.h>
#include <openssl/kdf.h>
#include <string>

namespace launch {

/// The functions of OpenSSL's libcrypto that we call, by their names. Opened when the first key is
/// made: a node that only has one never needs it, and where libssh stands on it it is there
/// already.
struct LibCrypto {
    /// The process's one table. Its functions are null where the library is not installed or too
    /// old; `why_not` says so.
    static const LibCrypto& get();

    std::string why_not;

#define LAUNCH_LIBCRYPTO_FUNCTIONS(X) \
    X(EVP_sha256)                     \
    X(EVP_PKEY_CTX_new)               \
    X(EVP_PKEY_CTX_new_id)            \
    X(EVP_PKEY_CTX_free)              \
    X(EVP_PKEY_CTX_ctrl)              \
    X(EVP_PKEY_derive_init)           \
    X(EVP_PKEY_derive_set_peer)       \
    X(EVP_PKEY_derive)                \
    X(EVP_PKEY_new_raw_private_key)   \
    X(EVP_PKEY_new_raw_public_key)    \
    X(EVP_PKEY_get_raw_public_key)    \
    X(EVP_PKEY_free)

// NOLINTNEXTLINE(bugprone-macro-parentheses): a member of that name
#define LAUNCH_DECLARE(name) decltype(&::name) name = nullptr;
    LAUNCH_LIBCRYPTO_FUNCTIONS(LAUNCH_DECLARE)
#undef LAUNCH_DECLARE
};

}  // namespace launch
