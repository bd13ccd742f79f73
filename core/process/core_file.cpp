// SPDX-License-Identifier: MIT
#include "core/process/core_file.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <fcntl.h>
#include <filesystem>
#include <glob.h>
#include <optional>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>
#include <vector>

#include "core/base/clock.hpp"
#include "core/base/environment.hpp"
#include "core/base/error.hpp"
#include "core/base/fd.hpp"
#include "core/base/file_text.hpp"
#include "core/process/command_output.hpp"
#include "core/process/core_notes.hpp"
#include "core/process/core_pattern.hpp"
#include "core/process/limits.hpp"

namespace launch {
namespace {

constexpr auto core_signals = std::to_array<int>(
    {SIGQUIT, SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGFPE, SIGSEGV, SIGXCPU, SIGXFSZ, SIGSYS});
constexpr std::chrono::milliseconds ask_again{200};
constexpr const char* replaced =
    "no core: ranks that crash in one folder replace each other's; as root: sysctl -w "
    "kernel.core_uses_pid=1";

std::string folder_above(const std::string& path) {
    const auto slash = path.rfind('/');
    return slash == 0 ? "/" : path.substr(0, slash);
}

struct Found {
    std::string path;
    timespec changed{};
};

bool is_newer(const timespec& a, const timespec& b) {
    return a.tv_sec != b.tv_sec ? a.tv_sec > b.tv_sec : a.tv_nsec > b.tv_nsec;
}

/// The files of this user that fit, the newest first: others may make files in the folder, too.
std::vector<Found> own_files(const std::string& pattern) {
    glob_t found{};
    std::vector<Found> own;
    if (glob(pattern.c_str(), GLOB_NOSORT, nullptr, &found) == 0)
        for (size_t i = 0; i < found.gl_pathc; ++i) {
            struct stat info {};
            const bool is_own = lstat(found.gl_pathv[i], &info) == 0 && S_ISREG(info.st_mode) &&
                                info.st_uid == geteuid();
            if (is_own) own.push_back({found.gl_pathv[i], info.st_mtim});
        }
    globfree(&found);
    std::sort(own.begin(), own.end(),
              [](const Found& a, const Found& b) { return is_newer(a.changed, b.changed); });
    return own;
}

bool is_empty(const char* bytes, size_t size) {
    return std::all_of(bytes, bytes + size, [](char c) { return c == 0; });
}

/// Leaves holes where there are only zeros. Returns an errno; 0: it is done.
int copy_bytes(int from, int to, CoreTime deadline) {
    std::vector<char> room(1U << 20);
    off_t size = 0;
    for (;;) {
        if (Clock::now() >= deadline) return ETIMEDOUT;
        const ssize_t got = read(from, room.data(), room.size());
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) return errno;
        if (got == 0) return ftruncate(to, size) == 0 ? 0 : errno;
        const auto count = static_cast<size_t>(got);
        if (!is_empty(room.data(), count)) {
            const ssize_t put = pwrite(to, room.data(), count, size);
            if (put != got) return put < 0 ? errno : ENOSPC;
        }
        size += got;
    }
}

std::string part_of_core(const std::string& to) {
    return to + ".part";
}

/// A new file, not one to which somebody has put a link there.
UniqueFd make_part(const std::string& part) {
    unlink(part.c_str());
    return UniqueFd(open(part.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600));
}

/// To another file system. Nobody sees a part of the file under its name.
int copy_file(const std::string& from, const std::string& to, CoreTime deadline) {
    const std::string part = part_of_core(to);
    const UniqueFd source(open(from.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW));
    if (!source) return errno;
    const UniqueFd target = make_part(part);
    if (!target) return errno;
    int error = copy_bytes(source.get(), target.get(), deadline);
    if (error == 0 && rename(part.c_str(), to.c_str()) != 0) error = errno;
    unlink(error == 0 ? from.c_str() : part.c_str());
    return error;
}

int move_file(const std::string& from, const std::string& to, CoreTime deadline) {
    std::error_code ignored;
    std::filesystem::create_directories(folder_above(to), ignored);
    if (rename(from.c_str(), to.c_str()) == 0) return 0;
    return errno == EXDEV ? copy_file(from, to, deadline) : errno;
}

enum class Owner : uint8_t { process, other, unknown };

/// Another process's core file may have the same name.
Owner owner_of(const std::string& path, const DeadProcess& of) {
    const auto process = process_of_core(read_file(path, core_head_size).text);
    if (!process) return Owner::unknown;
    return *process == of.process ? Owner::process : Owner::other;
}

Result<std::string> ask_coredumpctl(const std::vector<std::string>& words, CoreTime deadline) {
    std::vector<std::string> command{"coredumpctl"};
    command.insert(command.end(), words.begin(), words.end());
    const auto left = deadline - Clock::now();
    return command_output(command, own_environment(),
                          std::chrono::duration_cast<std::chrono::milliseconds>(left));
}

/// Systemd has it a moment after the process has ended. It may have an older one, too, of a process
/// with the same number, which `dump` would give meanwhile. Returns a clause that says why it is
/// not; empty: it is in `part`.
std::string dump_by_systemd(const DeadProcess& of, const std::string& part, CoreTime deadline) {
    const std::string process = std::to_string(of.process);
    for (;;) {
        auto got = ask_coredumpctl({"list", "--since=-1min", process}, deadline);
        if (got) got = ask_coredumpctl({"dump", "--output=" + part, process}, deadline);
        if (got && owner_of(part, of) == Owner::other) return "has that of another process";
        if (got) return {};
        if (Clock::now() + ask_again >= deadline) return got.error().cause;
        Clock::pause(ask_again);
    }
}

/// Nobody sees a part of the file under its name.
KeptCore ask_systemd(const DeadProcess& of, const std::string& to, CoreTime deadline) {
    std::error_code ignored;
    std::filesystem::create_directories(folder_above(to), ignored);
    const std::string part = part_of_core(to);
    if (!make_part(part)) return {{}, "no core: " + part + ": " + errno_text(errno)};
    const std::string wrong = dump_by_systemd(of, part, deadline);
    if (wrong.empty() && rename(part.c_str(), to.c_str()) == 0) return {to, {}};
    const int error = errno;
    unlink(part.c_str());
    return {{},
            "no core: " + (wrong.empty() ? to + ": " + errno_text(error) : "coredumpctl " + wrong)};
}

std::string quoted_pattern(const CorePattern& pattern) {
    return "kernel.core_pattern is " + pattern.text;
}

struct Chosen {
    std::optional<std::string> path;
    std::string unknown{};  ///< a file that may be of this process as well as of another
};

/// `named`: the names of the files have the process's number.
Chosen core_of(const DeadProcess& of, const std::vector<Found>& files, bool named,
               CoreTime deadline) {
    Chosen chosen;
    for (const Found& file : files) {
        if (Clock::now() >= deadline) break;
        const Owner owner = owner_of(file.path, of);
        if (owner == Owner::process || (named && owner == Owner::unknown)) return {file.path};
        if (owner == Owner::unknown && chosen.unknown.empty()) chosen.unknown = file.path;
    }
    return chosen;
}

/// `unknown`: as in Chosen.
std::string why_not_chosen(const DeadProcess& of, const CorePattern& pattern,
                           const std::string& unknown) {
    if (!unknown.empty()) return "no core: " + unknown + " does not tell whose it is";
    if (!pattern.tells_apart()) return replaced;
    return "no core: not found in " + of.folder + ", " + quoted_pattern(pattern);
}

}  // namespace

bool makes_core(int signal) {
    return std::find(core_signals.begin(), core_signals.end(), signal) != core_signals.end();
}

std::string why_no_core(const DeadProcess& of) {
    const CorePattern pattern = core_pattern();
    if (pattern.is_program())
        return "no core: " + quoted_pattern(pattern) + ", a program, which took none";
    constexpr auto core_size = static_cast<size_t>(Resource::core_file);
    if (host_limits()[core_size].hard == 0) return "no core: its hard limit is 0 (ulimit -H -c)";
    if (const auto folder = core_folder(pattern, of.folder)) {
        if (access(folder->c_str(), W_OK) != 0)
            return "no core: " + *folder + ": " + errno_text(errno);
        struct statvfs room {};
        if (statvfs(folder->c_str(), &room) == 0 && room.f_bavail == 0)
            return "no core: the disk of " + *folder + " is full";
    }
    return pattern.tells_apart() ? "no core: the kernel made none, see core(5)" : replaced;
}

KeptCore keep_core(const DeadProcess& of, const std::string& to, CoreTime deadline) {
    const CorePattern pattern = core_pattern();
    if (pattern.is_program()) {
        if (pattern.text.find("systemd-coredump") != std::string::npos)
            return ask_systemd(of, to, deadline);
        return {{},
                "no core: " + quoted_pattern(pattern) +
                    ", a program; as root: sysctl -w kernel.core_pattern=core"};
    }
    const auto files = own_files(core_glob(pattern, of.folder, of.process, of.signal));
    const auto made = core_of(of, files, pattern.has_pid(), deadline);
    if (!made.path) return {{}, why_not_chosen(of, pattern, made.unknown)};
    const bool may_change = !pattern.tells_apart();  // another may have come since
    const int error = move_file(*made.path, to, deadline);
    if (error == ENOENT && may_change) return {{}, replaced};
    if (error == 0 && may_change && owner_of(to, of) == Owner::other) {
        rename(to.c_str(), made.path->c_str());
        return {{}, replaced};
    }
    if (error == 0) return {to, {}};
    return {*made.path, "core left in " + folder_above(*made.path) + ": " + errno_text(error)};
}

}  // namespace launch
