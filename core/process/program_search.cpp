#include "core/process/program_search.hpp"

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

}  // namespace launch
