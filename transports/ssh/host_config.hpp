// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/error.hpp"
#include "core/hosts/host.hpp"
#include "transports/ssh/config_text.hpp"
#include "transports/ssh/ssh_user.hpp"
#include "transports/start_error.hpp"

namespace launch {

/// A user's ssh config for one host, in the terms of our own ssh transport.
struct HostConfig {
    enum class Trust : uint8_t {
        strict,   ///< only keys in known_hosts
        unknown,  ///< unknown keys too (StrictHostKeyChecking accept-new)
        any,      ///< changed keys too (StrictHostKeyChecking no)
    };
    enum class Family : uint8_t { any, ipv4, ipv6 };

    std::string host_name;  ///< to dial, and to look up in known_hosts
    std::string key_alias;  ///< looked up in known_hosts instead of name and port; empty: none
    std::string user;
    uint16_t port = 22;
    Family family = Family::any;
    std::vector<std::string> identity_files;  ///< private keys, in the order to try
    bool identities_only = false;             ///< of an agent's keys use only these
    std::string agent;                        ///< the agent's socket; empty: none
    std::vector<std::string> known_hosts_files;
    std::string new_keys_file;  ///< of them the one that gets the keys accepted; empty: none
    bool hash_names = false;    ///< of hosts whose keys are accepted
    Trust trust = Trust::strict;
    bool public_key = true;
    bool gssapi = false;
    bool compression = false;
    /// Algorithms as the user gave them, with OpenSSH's prefixes + - ^; empty: not given.
    std::string kex, ciphers, macs, host_key_algorithms, public_key_algorithms;
    std::string proxy_jump, proxy_command;  ///< as the config has them; empty: none
    int rsa_min_bits = 0;                   ///< 0: the library's own
    start_error::Starter starter = start_error::Starter::head;  ///< not of the config
    /// The word of the config that our transport cannot honour ("ProxyJump"): OpenSSH's client
    /// must start this host. Empty: ours can.
    std::string needs_openssh;
    /// Only OpenSSH's client knows whether a part of the config applies to the host (Match exec):
    /// the part may have further settings, of any kind.
    bool undecided = false;
    /// A file of the config must not be read, or cannot be: no host is started by the rest of it.
    std::optional<Error> fault;
};

/// The config as it applies to this host: for each keyword the first value that applies, see
/// ssh_config(5); the host's own user and port come before the config's. A `Match final` requires a
/// second pass, which sees the host's final name and adds values that the first pass left open.
/// Understands those criteria of Match that need no command. A config that it cannot decide makes a
/// host `needs_openssh`: it never guesses. Pure.
HostConfig resolve_host(const std::vector<ConfigLine>& config, const SshUser& user,
                        const Host& host);

/// The user's algorithm list laid over ours: "+a,b" appends, "-a*" removes, "^a" goes in front,
/// anything else replaces; empty: ours.
std::string combine_algorithms(std::string_view ours, std::string_view users);

}  // namespace launch
