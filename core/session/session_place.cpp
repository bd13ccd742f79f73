// SPDX-License-Identifier: MIT
#include "core/session/session_place.hpp"

#include <algorithm>
#include <filesystem>
#include <sys/stat.h>
#include <unistd.h>

namespace launch {
namespace {

constexpr size_t longest_name = 32;

}  // namespace

SessionPlace::SessionPlace(const std::string& named)
    : prefix_((named.empty() ? "/tmp" : named) + "/launch-" + std::to_string(geteuid()) + "-") {}

std::string SessionPlace::folder_of(std::string_view name) const {
    return prefix_ + std::string(name);
}

std::string SessionPlace::socket_of(std::string_view name) const {
    return folder_of(name) + "/socket";
}

std::vector<std::string> SessionPlace::names() const {
    std::vector<std::string> names;
    std::error_code ignored;
    const auto parent = std::filesystem::path(prefix_).parent_path();
    for (const auto& entry : std::filesystem::directory_iterator(parent, ignored)) {
        const std::string path = entry.path().string();
        if (!path.starts_with(prefix_)) continue;
        std::string name = path.substr(prefix_.size());
        if (is_session_name(name) && is_safe(name)) names.push_back(std::move(name));
    }
    std::sort(names.begin(), names.end());
    return names;
}

bool SessionPlace::is_safe(std::string_view name) const {
    struct stat info {};
    return lstat(folder_of(name).c_str(), &info) == 0 && S_ISDIR(info.st_mode) &&
           info.st_uid == geteuid() && (info.st_mode & 077) == 0;
}

bool is_session_name(std::string_view name) {
    const auto is_plain = [](char c) {
        return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    };
    return !name.empty() && name.size() <= longest_name && is_plain(name[0]) &&
           std::all_of(name.begin(), name.end(),
                       [&](char c) { return is_plain(c) || c == '_' || c == '.' || c == '-'; });
}

}  // namespace launch
