// SPDX-License-Identifier: MIT
#include "core/push/path_owners.hpp"

#include <algorithm>
#include <sys/stat.h>
#include <unistd.h>

namespace launch {

std::vector<uint32_t> path_owners(const std::string& path) {
    // At most 8, because trust_test() puts them into a command of less than 1024 bytes (csh).
    constexpr size_t most = 8;
    std::vector<uint32_t> owners;
    for (size_t end = path.size(); end != std::string::npos && end > 0;
         end = path.rfind('/', end - 1)) {
        struct stat info {};
        if (stat(path.substr(0, end).c_str(), &info) != 0) continue;
        const bool known = info.st_uid == 0 || info.st_uid == geteuid() ||
                           std::find(owners.begin(), owners.end(), info.st_uid) != owners.end();
        if (!known && owners.size() < most) owners.push_back(info.st_uid);
    }
    return owners;
}

}  // namespace launch
