// SPDX-License-Identifier: MIT
#include "core/process/why_not_started.hpp"

#include <array>
#include <cerrno>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/base/environment.hpp"
#include "core/base/error.hpp"
#include "core/base/fd.hpp"
#include "core/base/shortage.hpp"
#include "core/process/elf_loader.hpp"
#include "core/process/program_search.hpp"

namespace launch {
namespace {

/// So much of a script the kernel reads for its first line ...
constexpr size_t kernel_reads = 256;
/// ... and in so much of a program its loader is named.
constexpr size_t head_size = 4096;

NotStarted not_started(ExitStatus::Stage stage, int error, std::string detail = {}) {
    return {{ExitStatus::Kind::not_started, error, stage}, std::move(detail)};
}

/// Where ranks start, and from where their paths are seen.
struct StartFolder {
    UniqueFd fd;
    std::string path;  ///< empty: the caller's
    const LookingAt& looking_at;

    int get() const { return fd.get(); }
    void look_at(const std::string& file) const {
        const bool whole = file.starts_with('/') || path.empty();
        if (looking_at) looking_at(whole ? file : path + (path.ends_with('/') ? "" : "/") + file);
    }
};

/// 0: the file at `path`, as seen from `folder`, can be executed.
int access_error(const StartFolder& folder, const std::string& path) {
    folder.look_at(path);
    struct stat status {};
    if (fstatat(folder.get(), path.c_str(), &status, 0) != 0) return errno;
    if (!S_ISREG(status.st_mode)) return S_ISDIR(status.st_mode) ? EISDIR : EACCES;
    return faccessat(folder.get(), path.c_str(), X_OK, AT_EACCESS) == 0 ? 0 : errno;
}

std::string first_bytes(const StartFolder& folder, const std::string& path) {
    const UniqueFd file(openat(folder.get(), path.c_str(), O_RDONLY | O_CLOEXEC));
    std::array<char, head_size> bytes;
    const ssize_t size = file ? read(file.get(), bytes.data(), bytes.size()) : 0;
    return {bytes.data(), static_cast<size_t>(size > 0 ? size : 0)};
}

/// The error for a program that exists but cannot be executed.
NotStarted without_loader(int error) {
    return not_started(ExitStatus::Stage::interpreter, error,
                       "its loader is missing (was the program built for another system?)");
}

/// The error if the interpreter of a script, or the loader of a program, is missing or may not be
/// executed.
std::optional<NotStarted> interpreter_obstacle(const StartFolder& folder, const std::string& path) {
    const std::string head = first_bytes(folder, path);
    const std::string loader = loader_of(head);
    if (!loader.empty() && access_error(folder, loader) == ENOENT) return without_loader(ENOENT);
    std::string interpreter = interpreter_of(std::string_view(head).substr(0, kernel_reads));
    if (interpreter.empty()) return std::nullopt;
    const int error = access_error(folder, interpreter);
    if (error == 0) return std::nullopt;
    if (interpreter.ends_with('\r')) {
        interpreter.pop_back();
        return not_started(
            ExitStatus::Stage::interpreter, error,
            "its first line, #!" + interpreter + ", ends with CR LF (dos2unix converts the file)");
    }
    return not_started(ExitStatus::Stage::interpreter, error,
                       "its interpreter " + interpreter + ": " + errno_text(error));
}

std::optional<NotStarted> file_obstacle(const StartFolder& folder, const std::string& path) {
    const int error = access_error(folder, path);
    if (error != 0) return not_started(ExitStatus::Stage::exec, error);
    return interpreter_obstacle(folder, path);
}

/// The search of spawn_process(), for what would be found.
ProgramLook find_program(const StartFolder& folder, const ProgramPlace& place) {
    NotStarted told = not_started(ExitStatus::Stage::exec, ENOENT);
    std::string file;
    const auto candidates = program_candidates(place.program, place.path);
    const int fault = search_program(candidates, [&](const std::string& path) {
        auto obstacle = file_obstacle(folder, path);
        if (!obstacle) {
            file = path;
            return 0;
        }
        const int error = obstacle->status.value;
        const bool script = obstacle->status.stage == ExitStatus::Stage::interpreter;
        if (script || !is_missing(error)) told = *std::move(obstacle);
        return error;
    });
    if (fault == 0) return {std::nullopt, std::move(file)};
    return {std::move(told), {}};
}

StartFolder open_start_folder(const std::string& wdir, const LookingAt& looking_at) {
    const std::string path = wdir.empty() ? "." : wdir;
    if (looking_at) looking_at(path);
    return {UniqueFd(open(path.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC)), wdir, looking_at};
}

}  // namespace

std::string interpreter_of(std::string_view first_bytes) {
    if (!first_bytes.starts_with("#!")) return {};
    first_bytes.remove_prefix(2);
    const std::string_view line = first_bytes.substr(0, first_bytes.find('\n'));
    const size_t begin = line.find_first_not_of(" \t");
    if (begin == std::string_view::npos) return {};
    return std::string(line.substr(begin, line.find_first_of(" \t", begin) - begin));
}

ProgramLook look_at_program(const ProgramPlace& place, const LookingAt& looking_at) {
    const StartFolder folder = open_start_folder(place.wdir, looking_at);
    const int no_folder = folder.fd ? 0 : errno;
    if (no_folder == EMFILE || no_folder == ENFILE) return {};
    if (no_folder != 0) return {not_started(ExitStatus::Stage::chdir, no_folder), {}};
    if (faccessat(folder.get(), ".", X_OK, AT_EACCESS) != 0)
        return {not_started(ExitStatus::Stage::chdir, errno), {}};
    return find_program(folder, place);
}

NotStarted why_not_started(const SpawnRequest& request, const SpawnResult& result) {
    const ExitStatus& failure = result.failure;
    if (failure.value == EMFILE || failure.value == ENFILE)
        return {failure, errno_text(failure.value)};
    if (failure.stage == ExitStatus::Stage::fork) return {failure, no_process_text(failure.value)};
    if (failure.stage != ExitStatus::Stage::exec) return {failure, {}};
    const ProgramPlace place{request.argv.at(0), env_value(request.env, "PATH"),
                             result.used_fallback ? request.wdir_fallback : request.wdir};
    auto obstacle = find_obstacle(place);
    if (obstacle && obstacle->status.stage == ExitStatus::Stage::interpreter)
        return *std::move(obstacle);
    if (!obstacle && failure.value == ENOENT) return without_loader(failure.value);
    return {failure, {}};
}

}  // namespace launch
