// SPDX-License-Identifier: MIT
#include "core/process/others_may_change.hpp"

#include <deque>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

#include "core/base/list_text.hpp"

namespace launch {
namespace {

/// As many as the kernel follows.
constexpr int most_links = 40;

/// May name more users than the group's.
bool has_access_list(const std::string& path) {
    return getxattr(path.c_str(), "system.posix_acl_access", nullptr, 0) > 0;
}

bool others_may_write_to(const std::string& path, const struct stat& info) {
    if ((info.st_mode & S_ISVTX) != 0) return false;
    if ((info.st_mode & S_IWOTH) != 0) return true;
    return (info.st_mode & S_IWGRP) != 0 && (info.st_gid != info.st_uid || has_access_list(path));
}

std::string link_at(const std::string& path) {
    std::string target(4096, '\0');
    const ssize_t size = readlink(path.c_str(), target.data(), target.size());
    target.resize(size < 0 ? 0 : static_cast<size_t>(size));
    return target;
}

}  // namespace

/// Goes the way that the kernel goes.
bool others_may_change(const std::string& folder) {
    struct stat top {};
    if (stat("/", &top) != 0 || others_may_write_to("/", top)) return true;
    const auto words = split(folder, '/');
    std::deque<std::string> rest(words.begin(), words.end());
    std::string at;
    for (int links = 0; !rest.empty() && links < most_links;) {
        const std::string name = std::move(rest.front());
        rest.pop_front();
        if (name.empty() || name == ".") continue;
        if (name == "..") {
            at.resize(at.empty() ? 0 : at.rfind('/'));
            continue;
        }
        const std::string next = at + "/" + name;
        struct stat info {};
        if (lstat(next.c_str(), &info) != 0) return false;
        if (info.st_uid != 0 && info.st_uid != geteuid() && info.st_uid != top.st_uid) return true;
        if (S_ISLNK(info.st_mode)) {
            const std::string target = link_at(next);
            const auto more = split(target, '/');
            rest.insert(rest.begin(), more.begin(), more.end());
            if (target.starts_with('/')) at.clear();
            ++links;
            continue;
        }
        if (others_may_write_to(next, info)) return true;
        at = next;
    }
    return false;
}

}  // namespace launch
