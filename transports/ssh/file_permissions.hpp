// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>

namespace launch {

/// Whose a file is, and what others may do with it.
struct FilePermissions {
    uint32_t owner = 0;
    uint32_t mode = 0600;
    bool own_group = false;  ///< nobody but the owner is in the file's group
};

/// Of an open file. Where that cannot be told, it is nobody's and everybody's.
FilePermissions permissions_of(int file);

enum class ConfigObjection : unsigned char {
    none,
    owner,     ///< it is neither the user's nor root's
    writable,  ///< others may write to it
};

/// What ssh has against a config file of the user with this number. A group of the owner alone may
/// write to it, as Debian's ssh allows, since with umask 002 such files are usual. Pure.
ConfigObjection objection_to_config(const FilePermissions& held, uint32_t uid);

/// Others may read what only its owner, who is the user, should: ssh does not use such a key. Pure.
bool is_exposed_key(const FilePermissions& held, uint32_t uid);

}  // namespace launch
