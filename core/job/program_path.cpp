// SPDX-License-Identifier: MIT
#include "core/job/program_path.hpp"

#include <filesystem>

namespace launch {

std::string program_path(const Program& program, const std::string& job_wdir) {
    const std::string& name = program.argv.front();
    const bool is_relative = name.find('/') != std::string::npos && !name.starts_with('/');
    if (!is_relative) return name;
    const std::string& wdir = program.wdir.empty() ? job_wdir : program.wdir;
    return (std::filesystem::path(wdir) / name).lexically_normal();
}

}  // namespace launch
