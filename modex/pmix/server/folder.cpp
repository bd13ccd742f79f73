// SPDX-License-Identifier: MIT
#include "modex/pmix/server/folder.hpp"

#include <cerrno>
#include <filesystem>
#include <sys/stat.h>

namespace launch {

Result<PrivateFolder> PrivateFolder::make(const std::string& path) {
    if (mkdir(path.c_str(), S_IRWXU) != 0) return os_error("make folder " + path, errno);
    return PrivateFolder(path);
}

PrivateFolder::~PrivateFolder() {
    if (path_.empty()) return;
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
}

}  // namespace launch
