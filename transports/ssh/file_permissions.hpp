// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>

namespace launch {

/// The owner of a file, and the rights of other users.
struct FilePermissions {
    uint32_t owner = 0;
    uint32_t mode = 0600;
    bool own_group = false;  ///< nobody but the owner is in the file's group
};

/// The permissions of an open file. If they cannot be read, the file has an unknown owner and all
/// rights for all users.
FilePermissions permissions_of(int file);

enum class ConfigObjection : unsigned char {
    none,
    owner,     ///< it is neither the user's nor root's
    writable,  ///< others may write to it
};

/// ssh's objection to a config file of the user with this number. A group of the owner alone may
/// write to it, as Debian's ssh allows, because with umask 002 such files are usual. Pure.
ConfigObjection objection_to_config(const FilePermissions& held, uint32_t uid);

/// Others may read what only its owner, who is the user, should: ssh does not use such a key. Pure.
bool is_exposed_key(const FilePermissions& held, uint32_t uid);

}  // namespace launch
