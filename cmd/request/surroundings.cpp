// SPDX-License-Identifier: MIT
#include "cmd/request/surroundings.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <string_view>
#include <sys/stat.h>
#include <unistd.h>

#include "core/base/environment.hpp"
#include "core/base/hex.hpp"
#include "core/base/host_name.hpp"
#include "core/base/random.hpp"
#include "core/base/unix_time.hpp"
#include "core/job/enclosing_job.hpp"
#include "core/process/cpus.hpp"
#include "core/process/limits.hpp"
#include "core/process/window_size.hpp"

namespace launch {
namespace {

bool same_folder(const char* a, const char* b) {
    struct stat at_a {};
    struct stat at_b {};
    return stat(a, &at_a) == 0 && stat(b, &at_b) == 0 && at_a.st_dev == at_b.st_dev &&
           at_a.st_ino == at_b.st_ino;
}

std::string working_folder() {
    const char* shells = std::getenv("PWD");
    if (shells != nullptr && shells[0] == '/' && same_folder(shells, ".")) return shells;
    std::error_code failure;
    const auto path = std::filesystem::current_path(failure);
    return failure ? std::string() : path.string();
}

/// Made of characters that are safe in names of files and cgroups.
std::string safe_word(std::string word) {
    std::erase_if(word, [](char c) {
        return std::string_view("-.").find(c) == std::string_view::npos && (c < '0' || c > '9') &&
               (c < 'a' || c > 'z') && (c < 'A' || c > 'Z');
    });
    return word.substr(0, 32);
}

/// Host, process and second would suffice, except for clocks that are set back.
std::string make_job_id(const std::string& host) {
    return safe_word(host) + "-" + std::to_string(getpid()) + "-" + hex_number(unix_seconds_now()) +
           "-" + hex_number(random_number());
}

Surroundings::Streams look_at_streams() {
    Surroundings::Streams streams;
    streams.in_is_terminal = isatty(STDIN_FILENO) == 1;
    streams.out_is_terminal = isatty(STDOUT_FILENO) == 1;
    streams.err_is_terminal = isatty(STDERR_FILENO) == 1;
    streams.window = window_size(streams.in_is_terminal ? STDIN_FILENO : STDOUT_FILENO);
    return streams;
}

}  // namespace

Result<Surroundings> look_around() {
    Surroundings around;
    around.env = own_environment();
    around.wdir = working_folder();
    std::error_code failure;
    around.launch_path = std::filesystem::read_symlink("/proc/self/exe", failure).string();
    if (failure) return os_error("read /proc/self/exe", failure.value());
    const std::string host = host_name();
    around.host = host.empty() ? "host" : host;
    around.job_id = make_job_id(around.host);
    around.cpus = usable_cpus();
    around.limits = own_limits();
    around.streams = look_at_streams();
    return around;
}

void leave_enclosing_job() {
    for (const std::string& entry : own_environment()) {
        const std::string name = entry.substr(0, entry.find('='));
        if (tells_identity(name)) unsetenv(name.c_str());
    }
}

}  // namespace launch
