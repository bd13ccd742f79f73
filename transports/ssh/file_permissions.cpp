// SPDX-License-Identifier: MIT
#include "transports/ssh/file_permissions.hpp"

#include <grp.h>
#include <pwd.h>
#include <string_view>
#include <sys/stat.h>
#include <vector>

namespace launch {
namespace {

constexpr size_t directory_entry_size = size_t{64} * 1024;
constexpr mode_t all_bits = 07777;
constexpr uint32_t nobody = UINT32_MAX;  ///< a user that no check trusts

/// A group with the number of its owner is that user's own, unless others were added to it.
bool is_own_group(const struct stat& info) {
    if (info.st_gid != info.st_uid) return false;
    std::vector<char> group_buffer(directory_entry_size);
    struct group group_entry {};
    struct group* group = nullptr;
    ::getgrgid_r(info.st_gid, &group_entry, group_buffer.data(), group_buffer.size(), &group);
    if (group == nullptr) return false;
    std::vector<char> user_buffer(directory_entry_size);
    passwd user_entry{};
    passwd* user = nullptr;
    ::getpwuid_r(info.st_uid, &user_entry, user_buffer.data(), user_buffer.size(), &user);
    if (user == nullptr) return false;
    for (char* const* member = group->gr_mem; *member != nullptr; ++member)
        if (std::string_view(*member) != user->pw_name) return false;
    return true;
}

}  // namespace

FilePermissions permissions_of(int file) {
    struct stat info {};
    if (::fstat(file, &info) != 0) return {nobody, all_bits, false};
    const bool group_writes = (info.st_mode & S_IWGRP) != 0;  // else nobody needs to know
    return {info.st_uid, info.st_mode & all_bits, group_writes && is_own_group(info)};
}

ConfigObjection objection_to_config(const FilePermissions& held, uint32_t uid) {
    if (held.owner != 0 && held.owner != uid) return ConfigObjection::owner;
    const bool group_writes = (held.mode & S_IWGRP) != 0 && !held.own_group;
    if (group_writes || (held.mode & S_IWOTH) != 0) return ConfigObjection::writable;
    return ConfigObjection::none;
}

bool is_exposed_key(const FilePermissions& held, uint32_t uid) {
    return held.owner == uid && (held.mode & (S_IRWXG | S_IRWXO)) != 0;
}

}  // namespace launch
