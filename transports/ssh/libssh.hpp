// SPDX-License-Identifier: MIT
#pragma once

#include <libssh/libssh.h>
#include <memory>

namespace launch {

/// The functions of libssh that we call, by libssh's names. The library is opened when the first
/// host is dialled: a relay without children never needs it, a node may lack it, and linking it
/// would cost every start of the program a millisecond.
struct LibSsh {
    /// Nothing where libssh is not installed or is too old; `why` then says so.
    static std::shared_ptr<const LibSsh> open(std::string& why);

#define LAUNCH_LIBSSH_FUNCTIONS(X)     \
    X(ssh_new)                         \
    X(ssh_free)                        \
    X(ssh_options_set)                 \
    X(ssh_connect)                     \
    X(ssh_get_error)                   \
    X(ssh_get_fd)                      \
    X(ssh_get_status)                  \
    X(ssh_is_connected)                \
    X(ssh_set_blocking)                \
    X(ssh_blocking_flush)              \
    X(ssh_set_counters)                \
    X(ssh_set_agent_socket)            \
    X(ssh_get_server_publickey)        \
    X(ssh_get_publickey_hash)          \
    X(ssh_get_fingerprint_hash)        \
    X(ssh_clean_pubkey_hash)           \
    X(ssh_string_free_char)            \
    X(ssh_key_free)                    \
    X(ssh_key_type)                    \
    X(ssh_key_type_to_char)            \
    X(ssh_pki_export_pubkey_base64)    \
    X(ssh_pki_import_privkey_base64)   \
    X(ssh_userauth_none)               \
    X(ssh_userauth_list)               \
    X(ssh_userauth_publickey)          \
    X(ssh_userauth_agent)              \
    X(ssh_channel_new)                 \
    X(ssh_channel_open_session)        \
    X(ssh_channel_request_exec)        \
    X(ssh_channel_request_send_signal) \
    X(ssh_channel_read_nonblocking)    \
    X(ssh_channel_poll)                \
    X(ssh_channel_write)               \
    X(ssh_channel_is_closed)           \
    X(ssh_channel_get_exit_status)

// NOLINTNEXTLINE(bugprone-macro-parentheses): a member of that name
#define LAUNCH_DECLARE(name) decltype(&::name) name = nullptr;
    LAUNCH_LIBSSH_FUNCTIONS(LAUNCH_DECLARE)
#undef LAUNCH_DECLARE
};

/// Frees a session, which closes its socket and frees its channels.
struct SessionDeleter {
    std::shared_ptr<const LibSsh> lib;
    void operator()(ssh_session session) const { lib->ssh_free(session); }
};
using SessionPtr = std::unique_ptr<ssh_session_struct, SessionDeleter>;

}  // namespace launch
