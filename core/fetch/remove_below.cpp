// SPDX-License-Identifier: MIT
#include "core/fetch/remove_below.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <vector>

#include "core/fetch/folder_stream.hpp"
#include "core/fetch/records.hpp"

namespace launch {
namespace {

constexpr mode_t may_remove = 0700;

std::vector<std::string> names_in(int folder) {
    std::vector<std::string> names;
    UniqueFd again(openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    const auto dir = folder_stream(again);
    if (!dir) return names;
    while (const auto* entry = readdir(dir.get()))
        if (is_single_name(entry->d_name)) names.emplace_back(entry->d_name);
    return names;
}

void remove_at_depth(int folder, const std::string& name, size_t depth) {
    if (unlinkat(folder, name.c_str(), 0) == 0 || depth > fetch::most_depth) return;
    constexpr int flags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC;
    // A folder that may not be read or written is made one that may.
    struct stat info {};
    const bool is_folder =
        fstatat(folder, name.c_str(), &info, AT_SYMLINK_NOFOLLOW) == 0 && S_ISDIR(info.st_mode);
    if (!is_folder) return;
    if ((info.st_mode & may_remove) != may_remove) fchmodat(folder, name.c_str(), may_remove, 0);
    const UniqueFd inside(openat(folder, name.c_str(), flags));
    if (inside)
        for (const auto& each : names_in(inside.get()))
            remove_at_depth(inside.get(), each, depth + 1);
    unlinkat(folder, name.c_str(), AT_REMOVEDIR);
}

}  // namespace

void remove_below(int folder, const std::string& name) {
    remove_at_depth(folder, name, 0);
}

}  // namespace launch
