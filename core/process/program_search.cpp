// SPDX-License-Identifier: MIT
#include "core/process/program_search.hpp"

#include <algorithm>
#include <unistd.h>

#include "core/base/list_text.hpp"

namespace launch {

std::vector<std::string> program_candidates(const std::string& program, const std::string& path) {
    if (program.find('/') != std::string::npos) return {program};
    std::vector<std::string> paths;
    const std::string& folders = path.empty() ? "/usr/local/bin:/usr/bin:/bin" : path;
    for_each_part(folders, ':', [&](std::string_view folder) {
        paths.push_back(std::string(folder.empty() ? "." : folder) + "/" + program);
    });
    return paths;
}

bool is_in_path(const std::string& program, const std::string& path) {
    const auto files = program_candidates(program, path);
    return std::any_of(files.begin(), files.end(),
                       [](const std::string& file) { return access(file.c_str(), X_OK) == 0; });
}

}  // namespace launch
