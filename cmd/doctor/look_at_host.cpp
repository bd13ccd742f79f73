// SPDX-License-Identifier: MIT
#include "cmd/doctor/look_at_host.hpp"

#include <algorithm>
#include <arpa/inet.h>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <gnu/libc-version.h>
#include <memory>
#include <netdb.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "cmd/command_functions.hpp"
#include "cmd/console.hpp"
#include "cmd/doctor/ask_within.hpp"
#include "cmd/exit_code.hpp"
#include "core/base/clock.hpp"
#include "core/base/environment.hpp"
#include "core/base/error.hpp"
#include "core/base/fd.hpp"
#include "core/base/file_text.hpp"
#include "core/base/list_text.hpp"
#include "core/base/number_text.hpp"
#include "core/base/unix_time.hpp"
#include "core/process/limits.hpp"
#include "core/process/others_may_change.hpp"
#include "core/transport.hpp"

namespace launch {
namespace {

/// As long as a resolver waits for a name server that is silent, by default.
constexpr std::chrono::milliseconds name_limit{5000};

bool is_address(const std::string& name) {
    std::array<unsigned char, sizeof(in6_addr)> bytes{};
    const std::string bare = name.substr(0, name.find('%'));
    return inet_pton(AF_INET, bare.c_str(), bytes.data()) == 1 ||
           inet_pton(AF_INET6, bare.c_str(), bytes.data()) == 1;
}

/// "ADDRESS,ADDRESS TAB FAULT", a line.
std::string resolved(const std::string& name) {
    addrinfo hints{};
    hints.ai_socktype = SOCK_STREAM;
    addrinfo* first = nullptr;
    const int fault = getaddrinfo(name.c_str(), nullptr, &hints, &first);
    if (fault != 0) return std::string("\t") + gai_strerror(fault) + "\n";
    const std::unique_ptr<addrinfo, decltype(&freeaddrinfo)> all(first, freeaddrinfo);
    std::vector<std::string> addresses;
    for (const addrinfo* each = first; each != nullptr; each = each->ai_next) {
        std::array<char, NI_MAXHOST> text{};
        if (getnameinfo(each->ai_addr, each->ai_addrlen, text.data(), text.size(), nullptr, 0,
                        NI_NUMERICHOST) == 0)
            addresses.emplace_back(text.data());
    }
    std::sort(addresses.begin(), addresses.end());
    addresses.erase(std::unique(addresses.begin(), addresses.end()), addresses.end());
    return joined(addresses, ",") + "\t\n";
}

NameFact fact_of(const std::string& name, std::string_view line) {
    const size_t tab = line.find('\t');
    NameFact fact{name, {}, {}};
    for (const auto address : split(line.substr(0, tab), ','))
        fact.addresses.emplace_back(address);
    if (tab != std::string_view::npos) fact.fault = line.substr(tab + 1);
    return fact;
}

/// Resolves names as programs do, except those that are addresses. Takes some seconds at most.
std::vector<NameFact> look_at_names(const std::vector<std::string>& names) {
    std::vector<std::string> asked;
    std::copy_if(names.begin(), names.end(), std::back_inserter(asked),
                 [](const std::string& name) { return !is_address(name); });
    const auto answer = ask_within(name_limit, [&](const Send& send) {
        for (const auto& name : asked)
            send(resolved(name));
    });
    const auto lines = split(answer.text, '\n');
    std::vector<NameFact> facts;
    for (size_t i = 0; i < asked.size(); ++i) {
        // After the last line's end there is one more part, which is empty.
        const bool told = i + 1 < lines.size();
        const char* late = i == 0 ? "no answer within 5 s" : "no answer in the 5 s for all names";
        facts.push_back(told ? fact_of(asked[i], lines[i]) : NameFact{asked[i], {}, late});
        if (!told) break;  // those after it were not asked
    }
    return facts;
}

using Use = FolderFact::Use;

constexpr std::chrono::milliseconds folder_limit{2000};

/// A file of one page, which a quota or a full disk refuses as well as a lack of rights. errno; 0:
/// it could be written, and is gone.
int try_to_write(const std::string& folder) {
    std::string path = folder + "/launch-doctor-XXXXXX";
    const UniqueFd file(mkstemp(path.data()));
    if (!file) return errno;
    const std::array<char, 4096> page{};
    const ssize_t n = write(file.get(), page.data(), page.size());
    const int fault = n < 0 ? errno : (static_cast<size_t>(n) < page.size() ? ENOSPC : 0);
    unlink(path.c_str());
    return fault;
}

/// "FREE TAB NOEXEC TAB FAULT".
std::string looked_at(const std::string& folder) {
    struct statvfs info {};
    if (statvfs(folder.c_str(), &info) != 0) return "0\t0\t" + errno_text(errno);
    const int error = try_to_write(folder);
    std::string fault = error != 0 ? errno_text(error) : "";
    if (fault.empty() && others_may_change(folder)) fault = others_may_write;
    return std::to_string(uint64_t{info.f_bavail} * info.f_frsize) + "\t" +
           ((info.f_flag & ST_NOEXEC) != 0 ? "1" : "0") + "\t" + fault;
}

FolderFact look_at(Use use, const std::string& folder) {
    FolderFact fact;
    fact.use = use;
    fact.path = folder;
    const auto answer =
        ask_within(folder_limit, [&folder](const Send& send) { send(looked_at(folder)); });
    const auto words = split(answer.text, '\t');
    if (!answer.in_time || words.size() < 2) {
        fact.fault = "no answer within 2 s (a file server that is down?)";
        return fact;
    }
    fact.free_bytes = parse_number<uint64_t>(words[0]).value_or(0);
    fact.noexec = words[1] == "1";
    if (words.size() > 2) fact.fault = words[2];
    return fact;
}

/// The folders that matter on this host, each written to as a test. `login`: the environment of a
/// login here, by which launch chooses among them. Takes some seconds at most.
std::vector<FolderFact> look_at_folders(const std::vector<std::string>& login) {
    std::vector<FolderFact> facts;
    const auto add = [&facts](Use use, const std::string& folder) {
        const auto same = std::find_if(facts.begin(), facts.end(),
                                       [&](const auto& fact) { return fact.path == folder; });
        if (folder.empty() || folder[0] != '/') return;
        FolderFact fact = same == facts.end() ? look_at(use, folder) : *same;
        fact.use = use;
        facts.push_back(std::move(fact));
    };
    const std::string temporary = env_value(login, "TMPDIR");
    // Where core/push/bootstrap looks for a place, in that order.
    for (const auto& folder :
         {temporary, env_value(login, "XDG_RUNTIME_DIR"), std::string("/tmp"),
          std::string("/var/tmp"), std::string("/dev/shm"), env_value(login, "HOME")})
        add(Use::launch, folder);
    add(Use::temporary, temporary.empty() ? "/tmp" : temporary);
    add(Use::memory, "/dev/shm");
    return facts;
}

/// A folder of a file server that does not answer cannot be entered.
bool can_enter(const std::string& folder) {
    const auto answer = ask_within(folder_limit, [&folder](const Send& send) {
        if (access(folder.c_str(), X_OK) == 0 && chdir(folder.c_str()) == 0) send("yes");
    });
    return answer.text == "yes";
}

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
    if (request.waits_for_links) Clock::pause(links_limit);
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
