// SPDX-License-Identifier: MIT
#include "cmd/doctor/look_at_host.hpp"

#include <chrono>
#include <filesystem>
#include <gnu/libc-version.h>
#include <thread>
#include <unistd.h>

#include "cmd/console.hpp"
#include "cmd/doctor/look_at_folders.hpp"
#include "cmd/doctor/look_at_libraries.hpp"
#include "cmd/doctor/look_at_names.hpp"
#include "cmd/exit_code.hpp"
#include "cmd/run.hpp"
#include "core/base/environment.hpp"
#include "core/base/file_text.hpp"
#include "core/base/list_text.hpp"
#include "core/base/unix_time.hpp"
#include "core/process/limits.hpp"

namespace launch {
namespace {

using Clock = std::chrono::steady_clock;

/// A direct link has come up by then, or never does (core/link/patience: dial_direct and
/// word_of_death), and what hosts say of it has come to the head.
constexpr std::chrono::milliseconds links_limit{3000};

bool has_entries(const char* folder) {
    std::error_code fault;
    const std::filesystem::directory_iterator first(folder, fault);
    return !fault && first != std::filesystem::directory_iterator();
}

/// Returns the environment of the relay, which is that of a login; this process has the job's.
std::vector<std::string> environment_of_parent() {
    constexpr size_t most = 1u << 20;
    const std::string path = "/proc/" + std::to_string(getppid()) + "/environ";
    const auto file = read_file(path, most);
    std::vector<std::string> env;
    for (const auto entry : split(file.text, '\0'))
        env.emplace_back(entry);
    return env;
}

}  // namespace

HostFacts look_at_host(const LookRequest& request) {
    const auto began = Clock::now();
    if (request.waits_for_links) std::this_thread::sleep_for(links_limit);
    HostFacts facts;
    facts.libc = gnu_get_libc_version();
    facts.is_root = geteuid() == 0;
    facts.has_fast_network = has_entries("/sys/class/infiniband") || has_entries("/sys/class/cxi");
    facts.has_wdir = request.wdir.empty() || can_enter(request.wdir);
    const auto limits = host_limits();
    facts.files = limits[static_cast<size_t>(Resource::open_files)];
    facts.locked_memory = limits[static_cast<size_t>(Resource::locked_memory)];
    facts.processes = limits[static_cast<size_t>(Resource::processes)];
    facts.names = look_at_names(request.names);
    facts.folders = look_at_folders(request.login);
    facts.libraries = look_at_libraries();
    facts.clock_us = unix_us_now();
    facts.took_us = static_cast<uint64_t>(
        std::chrono::duration_cast<std::chrono::microseconds>(Clock::now() - began).count());
    return facts;
}

std::vector<std::string> check_command(const std::vector<std::string>& names,
                                       const std::string& wdir, bool waits_for_links) {
    // A relay that was sent has no name any more, but its children find it.
    return {"/bin/sh",
            "-c",
            "exec /proc/$PPID/exe __check \"$@\"",
            "sh",
            waits_for_links ? "links" : "",
            wdir,
            joined(names, ",")};
}

int start_check(const std::vector<std::string>& words) {
    if (words.size() != 3) return exit_code::usage;
    LookRequest request{{}, words[1], environment_of_parent(), words[0] == "links"};
    for (const auto name : split(words[2], ','))
        request.names.emplace_back(name);
    return show(facts_text(look_at_host(request)));
}

}  // namespace launch
