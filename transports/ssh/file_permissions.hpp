#pragma once

#include <cstdint>
#include <string>

namespace launch {

/// Whose a file is, and what others may do with it.
struct FilePermissions {
    uint32_t owner = 0;
    uint32_t mode = 0600;
};

/// Of an open file. Where that cannot be told, it is nobody's and everybody's.
FilePermissions permissions_of(int file);

/// Others may read what only its owner, who is the user, should: ssh does not use such a key. Pure.
bool is_exposed_key(const FilePermissions& held, uint32_t uid);

}  // namespace launch
