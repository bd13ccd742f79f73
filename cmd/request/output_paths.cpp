// SPDX-License-Identifier: MIT
#include "cmd/request/output_paths.hpp"

#include <cerrno>
#include <filesystem>
#include <set>
#include <string>
#include <sys/stat.h>
#include <unistd.h>

#include "cmd/options/usage_error.hpp"
#include "core/job/output_pattern.hpp"
#include "core/job/program_index.hpp"

namespace launch {
namespace {

namespace fs = std::filesystem;

/// All names that the plan's ranks give to one pattern, each once.
std::set<std::string> paths_of(const Plan& plan, const std::string& text, const char* stream) {
    std::set<std::string> paths;
    OutputPattern pattern;
    if (text.empty() || !OutputPattern::read(text, pattern).empty()) return paths;
    OutputFields fields;
    fields.size = plan.placement.ranks();
    fields.job = plan.spec.job_id;
    fields.stream = stream;
    for (size_t host = 0; host < plan.hosts.size(); ++host) {
        fields.host = plan.hosts[host].name;
        fields.local_rank = 0;
        for_each_rank(plan.placement.node(host), [&](uint32_t rank) {
            fields.rank = rank;
            fields.program = static_cast<uint32_t>(program_index(plan.spec.programs, rank));
            paths.insert(pattern.fill(fields));
            ++fields.local_rank;
        });
        if (!plan.placement.node(host).empty()) ++fields.node;
    }
    return paths;
}

/// The first folder above that there is must let files be made in it.
Status check_folder(const std::string& path) {
    fs::path folder = fs::path(path).parent_path();
    std::error_code fault;
    while (!fs::exists(folder, fault) && folder.has_relative_path())
        folder = folder.parent_path();
    if (fs::is_directory(folder, fault)) {
        if (access(folder.c_str(), W_OK | X_OK) == 0) return Ok{};
        return usage_error("output cannot be written to " + shown_path(path) + ": " +
                           folder.string() + ": " + errno_text(errno));
    }
    return usage_error("output cannot be written to " + shown_path(path) + ": " + folder.string() +
                       " is not a folder");
}

}  // namespace

Status check_output_paths(const Plan& plan) {
    const OutputFilesChoice& files = plan.spec.policies.output.files;
    if (!files.any() || files.there) return Ok{};
    auto paths = paths_of(plan, files.out, "out");
    paths.merge(paths_of(plan, files.err, "err"));
    std::set<fs::path> folders;
    std::string first;
    size_t existing = 0;
    for (const auto& path : paths) {
        struct stat info {};
        const bool there = lstat(path.c_str(), &info) == 0;
        // A device, such as /dev/null, is not overwritten.
        if (there && !S_ISREG(info.st_mode) && !S_ISDIR(info.st_mode)) continue;
        if (there && !(files.replace && S_ISREG(info.st_mode)) && existing++ == 0) first = path;
        if (!folders.insert(fs::path(path).parent_path()).second) continue;
        auto possible = check_folder(path);
        if (!possible) return possible;
    }
    if (existing == 0) return Ok{};
    const std::string more =
        existing > 1 ? ", and " + std::to_string(existing - 1) + " more output files" : "";
    auto error =
        usage_error(shown_path(first) + more + (existing > 1 ? " exist" : " exists") + " already");
    error.hint = "--output-replace writes over them, %j in the name makes a new one for each job";
    return error;
}

}  // namespace launch
