// SPDX-License-Identifier: MIT
#include "cmd/doctor/look_at_folders.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <sys/statvfs.h>
#include <unistd.h>

#include "cmd/doctor/ask_within.hpp"
#include "core/base/environment.hpp"
#include "core/base/error.hpp"
#include "core/base/fd.hpp"
#include "core/base/list_text.hpp"
#include "core/base/number_text.hpp"
#include "core/process/others_may_change.hpp"
#include "core/transport.hpp"

namespace launch {
namespace {

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

}  // namespace

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

bool can_enter(const std::string& folder) {
    const auto answer = ask_within(folder_limit, [&folder](const Send& send) {
        if (access(folder.c_str(), X_OK) == 0 && chdir(folder.c_str()) == 0) send("yes");
    });
    return answer.text == "yes";
}

}  // namespace launch
