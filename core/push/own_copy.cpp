// SPDX-License-Identifier: MIT
#include "core/push/own_copy.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include "core/push/bootstrap.hpp"

namespace launch {
namespace {

/// As the script of bootstrap.cpp makes it; a folder that somebody names by mistake is another.
bool made_for_a_push(const std::string& folder) {
    const size_t begin = folder.rfind('/') + 1;  // 0: the path has no folder
    const std::string_view fixed = push_folder.substr(0, push_folder.find('X'));
    const std::string_view name = std::string_view(folder).substr(begin);
    struct stat there {};
    return begin > 0 && name.size() == push_folder.size() && name.starts_with(fixed) &&
           lstat(folder.c_str(), &there) == 0 && S_ISDIR(there.st_mode) &&
           there.st_uid == geteuid() && (there.st_mode & 0777) == 0700;
}

}  // namespace

void remove_own_copy(const std::string& folder) {
    if (!made_for_a_push(folder)) return;
    const std::string path = folder + "/launch";
    struct stat there {};
    struct stat own {};
    if (lstat(path.c_str(), &there) != 0 || stat("/proc/self/exe", &own) != 0) return;
    if (there.st_dev != own.st_dev || there.st_ino != own.st_ino) return;
    unlink(path.c_str());
    rmdir(folder.c_str());
}

}  // namespace launch
