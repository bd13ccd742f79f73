// SPDX-License-Identifier: MIT
#pragma once

#include <openssl/err.h>
#include <openssl/ssl.h>
#include <string>

namespace launch {

/// The functions of OpenSSL's libssl that we call, by their names. The library is opened when the
/// first direct link is wanted; a node that lacks it has none.
struct LibSsl {
    /// The process's one table, constant once it is there: OpenSSL's callbacks get no other way to
    /// it. Its functions are null where the library is not installed or too old; `why_not` says so.
    static const LibSsl& get();

    std::string why_not;

#define LAUNCH_LIBSSL_FUNCTIONS(X)           \
    X(TLS_method)                            \
    X(SSL_CTX_new)                           \
    X(SSL_CTX_free)                          \
    X(SSL_CTX_ctrl)                          \
    X(SSL_CTX_set_options)                   \
    X(SSL_CTX_set_ciphersuites)              \
    X(SSL_CTX_set_num_tickets)               \
    X(SSL_CTX_set_psk_find_session_callback) \
    X(SSL_CTX_set_psk_use_session_callback)  \
    X(SSL_new)                               \
    X(SSL_free)                              \
    X(SSL_set_wfd)                           \
    X(SSL_set0_rbio)                         \
    X(SSL_set_ex_data)                       \
    X(SSL_get_ex_data)                       \
    X(SSL_set_accept_state)                  \
    X(SSL_set_connect_state)                 \
    X(SSL_set_verify)                        \
    X(SSL_do_handshake)                      \
    X(SSL_session_reused)                    \
    X(SSL_read)                              \
    X(SSL_write)                             \
    X(SSL_has_pending)                       \
    X(SSL_get_error)                         \
    X(SSL_CIPHER_find)                       \
    X(SSL_SESSION_new)                       \
    X(SSL_SESSION_free)                      \
    X(SSL_SESSION_set1_master_key)           \
    X(SSL_SESSION_set_cipher)                \
    X(SSL_SESSION_set_protocol_version)      \
    X(BIO_meth_new)                          \
    X(BIO_meth_free)                         \
    X(BIO_meth_set_read)                     \
    X(BIO_meth_set_ctrl)                     \
    X(BIO_new)                               \
    X(BIO_set_init)                          \
    X(BIO_set_data)                          \
    X(BIO_get_data)                          \
    X(BIO_set_flags)                         \
    X(BIO_clear_flags)                       \
    X(ERR_peek_error)                        \
    X(ERR_clear_error)

// NOLINTNEXTLINE(bugprone-macro-parentheses): a member of that name
#define LAUNCH_DECLARE(name) decltype(&::name) name = nullptr;
    LAUNCH_LIBSSL_FUNCTIONS(LAUNCH_DECLARE)
#undef LAUNCH_DECLARE
};

}  // namespace launch
