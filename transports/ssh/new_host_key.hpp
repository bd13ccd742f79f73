// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "transports/ssh/host_config.hpp"

namespace launch {

/// A host's key that was accepted without being known before.
struct NewHostKey {
    std::string field;  ///< the names' field of its line
    std::string type;
    std::string key;  ///< in base64
};

/// The line's first field hides the name if the user's config says so.
NewHostKey new_host_key(const HostConfig& config, std::string type, std::string key);

/// The keys in the text of a known_hosts file. Pure.
std::vector<NewHostKey> read_new_keys(const std::string& text);

/// Adds the key to the file that gets such keys, as OpenSSH does: where the file is not there it is
/// made, and so is `home`/.ssh. Other processes, on other hosts too, may do the same: lines stay
/// whole, and a key that is there by now is not added again. Why it could not be, or nothing.
/// Blocks.
std::string record_host_key(const HostConfig& config, const std::string& home,
                            const NewHostKey& key);

}  // namespace launch
