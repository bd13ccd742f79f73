// SPDX-License-Identifier: MIT
#include "cmd/jobfile/missing_job_file.hpp"

#include <filesystem>
#include <string_view>
#include <vector>

#include "cmd/options/usage_error.hpp"
#include "core/base/shell_word.hpp"

namespace launch {
namespace {

namespace fs = std::filesystem;

/// The names of job files in a folder, without their ends; none where it cannot be read.
std::vector<std::string> stems_in(const fs::path& folder, const fs::path& end) {
    std::vector<std::string> stems;
    std::error_code failure;
    fs::directory_iterator entry(folder.empty() ? "." : folder, failure);
    for (; !failure && entry != fs::directory_iterator(); entry.increment(failure)) {
        std::error_code unseen;  // of a link to nothing, which is no file
        if (entry->path().extension() == end && entry->is_regular_file(unseen))
            stems.push_back(entry->path().stem());
    }
    return stems;
}

/// Beside the path, written as it is; empty if none is near.
std::string nearest_beside(const fs::path& path) {
    const auto stems = stems_in(path.parent_path(), path.extension());
    const std::vector<std::string_view> known(stems.begin(), stems.end());
    const auto near = nearest(path.stem().string(), known);
    if (near.empty()) return {};
    const fs::path name = std::string(near) + path.extension().string();
    return shown_path(path.parent_path() / name);
}

}  // namespace

Error missing_job_file(const std::string& path, bool may_be_program) {
    auto error = usage_error("there is no job file " + shown_path(path) +
                             did_you_mean(nearest_beside(path)));
    error.hint = may_be_program ? "to run a program of that name: launch -- " + shell_word(path)
                                : "see launch help job-files";
    return error;
}

}  // namespace launch
