// SPDX-License-Identifier: MIT
#include "cmd/request/fetched_files.hpp"

#include <algorithm>
#include <cerrno>
#include <fcntl.h>
#include <filesystem>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

#include "cmd/options/table.hpp"
#include "cmd/options/usage_error.hpp"
#include "cmd/options/values.hpp"
#include "core/base/mistakes.hpp"
#include "core/fetch/records.hpp"

namespace launch {
namespace {

/// Without `.`, `..` and slashes that say nothing, so that equal folders are spelled alike.
std::string plain_path(const std::string& path) {
    auto plain = std::filesystem::path(path).lexically_normal().string();
    while (plain.size() > 1 && plain.ends_with('/'))
        plain.pop_back();
    return plain;
}

Result<FetchSpec> fetch_spec(const std::string& option, const std::string& text,
                             const std::string& wdir) {
    const auto colon = text.rfind(':');
    const bool whole = colon != text.npos && colon > 0 && colon + 1 < text.size();
    if (!whole)
        return usage_error(option + " " + shown(text) +
                           ": expected REMOTE:DIR, a place on hosts and a folder here");
    FetchSpec spec{text.substr(0, colon), plain_path(absolute(text.substr(colon + 1), wdir)), {}};
    spec.name = last_name(spec.remote);
    if (is_single_name(spec.name)) return spec;
    return usage_error(option + " " + shown(text) + ": " + shown(spec.remote) +
                       " has no name of its own; name the folder itself");
}

Status cannot_fetch_to(const std::string& path, std::string why, std::string hint) {
    auto error = usage_error("--fetch: " + shown_path(path) + " " + std::move(why));
    error.hint = std::move(hint);
    return error;
}

/// The folder itself, or the nearest one above that is there, can be written to.
Status check_folder(const FetchSpec& spec) {
    std::filesystem::path at = spec.dir;
    struct stat info {};
    while (stat(at.c_str(), &info) != 0 && at.has_relative_path()) {
        if (lstat(at.c_str(), &info) == 0)
            return cannot_fetch_to(at, "is a link to nothing", "name another folder");
        at = at.parent_path();
    }
    if (!S_ISDIR(info.st_mode))
        return cannot_fetch_to(at, "is not a folder", "name another folder");
    if (faccessat(AT_FDCWD, at.c_str(), W_OK | X_OK, AT_EACCESS) != 0)
        return cannot_fetch_to(at, "cannot be written to: " + errno_text(errno),
                               "name another folder");
    return Ok{};
}

Status check_host_folder(const FetchSpec& spec, const std::string& host) {
    const std::string folder = spec.dir + "/" + host;
    struct stat info {};
    if (lstat(folder.c_str(), &info) == 0 && !S_ISDIR(info.st_mode))
        return cannot_fetch_to(folder, "is not a folder", "links are not followed");
    const std::string path = folder + "/" + spec.name;
    if (lstat(path.c_str(), &info) != 0) return Ok{};
    return cannot_fetch_to(path, "exists already", "nothing is replaced: name another folder");
}

}  // namespace

Result<std::vector<FetchSpec>> fetch_specs(const Settings& line, const std::string& wdir) {
    const std::string option = spelled(line, "fetch");
    std::vector<FetchSpec> specs;
    Mistakes mistakes;
    for (const auto& text : line.fetched) {
        auto spec = fetch_spec(option, text, wdir);
        if (!spec) {
            mistakes.add(std::move(spec.error()));
            continue;
        }
        const bool is_taken = std::any_of(specs.begin(), specs.end(), [&](const auto& other) {
            return other.dir == spec->dir && other.name == spec->name;
        });
        if (is_taken)
            mistakes.add(usage_error(option + " " + shown(text) + ": another one is to be " +
                                     shown(spec->name) + " in that folder"));
        specs.push_back(*std::move(spec));
    }
    if (!mistakes.empty()) return mistakes.take();
    return specs;
}

Status check_fetched_paths(const std::vector<FetchSpec>& specs, const Plan& plan) {
    for (const auto& spec : specs) {
        auto possible = check_folder(spec);
        for (const uint32_t host : plan.placement.used())
            if (possible) possible = check_host_folder(spec, plan.hosts[host].name);
        if (!possible) return possible;
    }
    return Ok{};
}

}  // namespace launch
