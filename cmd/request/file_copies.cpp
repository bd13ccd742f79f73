// SPDX-License-Identifier: MIT
#include "cmd/request/file_copies.hpp"

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
#include "core/base/base_name.hpp"
#include "core/base/environment.hpp"
#include "core/base/list_text.hpp"
#include "core/base/mistakes.hpp"
#include "core/fetch/records.hpp"
#include "core/process/program_search.hpp"

namespace launch {
namespace {

/// Neither empty nor one that leads elsewhere.
bool plain_parts(std::string_view path) {
    const auto parts = split(path, '/');
    return !parts.empty() && std::none_of(parts.begin(), parts.end(), [](std::string_view part) {
        return part.empty() || part == "." || part == "..";
    });
}

/// Why a file cannot be staged; empty: it can.
std::string objection_to_file(const std::string& path, struct stat& info) {
    if (stat(path.c_str(), &info) != 0) return os_error({}, errno).cause;
    if (S_ISDIR(info.st_mode)) return "a folder; only files can be staged (tar makes one of it)";
    if (!S_ISREG(info.st_mode)) return "not a regular file";
    if (access(path.c_str(), R_OK) != 0) return os_error({}, errno).cause;
    return {};
}

/// Adds the file unless it is there already; its index.
Result<uint32_t> add(const std::string& option, StageSpec& stage, StagedFile file) {
    const auto same_place = [&](const StagedFile& other) { return other.dest == file.dest; };
    const auto at = std::find_if(stage.files.begin(), stage.files.end(), same_place);
    if (at != stage.files.end() && at->source != file.source)
        return usage_error(option + ": both " + at->source + " and " + file.source + " go to " +
                           file.dest);
    const auto index = static_cast<uint32_t>(at - stage.files.begin());
    if (at == stage.files.end()) stage.files.push_back(std::move(file));
    return index;
}

/// "FILE" or "FILE:DEST"; the last colon counts, so that one in FILE's name can be written "a:b:".
Status add_named(const std::string& option, const std::string& text, const std::string& wdir,
                 StageSpec& stage) {
    const size_t colon = text.rfind(':');
    const std::string name = text.substr(0, colon);
    std::string dest = colon == std::string::npos ? "" : text.substr(colon + 1);
    StagedFile file;
    file.source = absolute(name, wdir);
    struct stat info {};
    const auto objection = name.empty() ? "no file is named" : objection_to_file(file.source, info);
    if (!objection.empty()) return usage_error(option + " " + shown(text) + ": " + objection);
    file.size = static_cast<uint64_t>(info.st_size);
    file.mode = info.st_mode & 0777;
    if (dest.empty() || dest.ends_with('/')) dest += base_name(name);
    const std::string_view below = dest.starts_with('/') ? std::string_view(dest).substr(1) : dest;
    if (!plain_parts(below))
        return usage_error(option + " " + shown(text) + ": DEST may not hold empty parts, . or ..");
    file.dest = std::move(dest);
    auto added = add(option, stage, std::move(file));
    if (!added) return std::move(added.error());
    return Ok{};
}

/// As a rank would find it, if this were its host. Empty: nowhere.
std::string find_program(const std::string& name, const std::string& wdir,
                         const std::vector<std::string>& env) {
    struct stat info {};
    for (const auto& candidate : program_candidates(name, env_value(env, "PATH"))) {
        std::string path = absolute(candidate, wdir);
        if (objection_to_file(path, info).empty() && access(path.c_str(), X_OK) == 0) return path;
    }
    return {};
}

Status add_program(Program& program, size_t index, const std::string& wdir,
                   const std::vector<std::string>& env, StageSpec& stage) {
    if (program.argv.empty()) return Ok{};  // a request for hosts alone has none
    const std::string& name = program.argv.front();
    StagedFile file;
    file.source = find_program(name, program.wdir.empty() ? wdir : program.wdir,
                               with_variables(env, program.env));
    if (file.source.empty()) {
        Error error;
        error.kind = ErrorKind::not_found;
        error.operation = "--stage-program";
        error.cause = "no program " + shown(name) + " is here that can be read and executed";
        return error;
    }
    struct stat info {};
    if (stat(file.source.c_str(), &info) != 0) return os_error("--stage-program " + name, errno);
    file.size = static_cast<uint64_t>(info.st_size);
    file.mode = info.st_mode & 0777;
    file.dest = base_name(name);
    auto added = add("--stage-program", stage, file);
    if (!added) {  // two programs of one name: this one in a folder of its own
        file.dest = "program" + std::to_string(index + 1) + "/" + file.dest;
        added = add("--stage-program", stage, file);
    }
    if (!added) return std::move(added.error());
    program.staged = *added;
    return Ok{};
}

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

Status complete_stage(const Settings& line, const Surroundings& around, JobSpec& spec) {
    StageSpec& stage = spec.stage;
    stage.keep = line.stage_keep;
    const bool keeps_nothing = stage.keep && line.staged.empty() && !line.stage_program;
    if (keeps_nothing && !line.origins.is_for_every_job("stage-keep"))
        return usage_error(spelled(line, "stage-keep") + " goes with --stage or --stage-program");
    Mistakes mistakes;
    for (const auto& text : line.staged)
        mistakes.check(add_named(spelled(line, "stage"), text, around.wdir, stage));
    for (size_t i = 0; line.stage_program && i < spec.programs.size(); ++i)
        mistakes.check(add_program(spec.programs[i], i, spec.wdir, around.env, stage));
    return mistakes.take_status();
}

Result<std::vector<FetchSpec>> fetch_specs(const Settings& line, const std::string& wdir) {
    const std::string option = spelled(line, "fetch");
    std::vector<FetchSpec> specs;
    Mistakes mistakes;
    for (const auto& text : line.fetched) {
        auto spec = fetch_spec(option, text, wdir);
        if (!mistakes.check(spec)) continue;
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
