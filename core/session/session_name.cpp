// SPDX-License-Identifier: MIT
#include "core/session/session_name.hpp"

#include <cerrno>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/base/clock.hpp"
#include "core/session/session_client.hpp"

namespace launch {
namespace {

using std::chrono::milliseconds;

constexpr milliseconds between_tries{5};

Error no_folder(const std::string& folder, int errno_value) {
    auto error = os_error("make the session's folder " + folder, errno_value);
    error.hint = "set LAUNCH_SESSION_DIR to another folder";
    return error;
}

/// This user made it, and nobody else may enter it.
bool is_private(int folder) {
    struct stat info {};
    return fstat(folder, &info) == 0 && info.st_uid == geteuid() && (info.st_mode & 077) == 0;
}

/// File systems without locks let everybody have one: there only mkdir() tells who is first.
bool is_locked_by_another(int folder) {
    return flock(folder, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK;
}

}  // namespace

SessionName::SessionName(const SessionPlace& place, std::string name, UniqueFd lock,
                         FileStamp stamp)
    : name_(std::move(name)),
      folder_(place.folder_of(name_)),
      socket_(place.socket_of(name_)),
      lock_(std::move(lock)),
      stamp_(stamp) {}

SessionName::SessionName(SessionName&& other) noexcept = default;

/// While it is locked nobody else removes it.
SessionName::~SessionName() {
    if (lock_) remove_own_folder(folder_.c_str(), stamp_.id);
}

/// Nothing: somebody has it now, who may be about to remove it.
Result<std::optional<SessionName>> SessionName::try_to_take(const SessionPlace& place,
                                                            const std::string& name) {
    const std::string folder = place.folder_of(name);
    for (;;) {
        const bool made = mkdir(folder.c_str(), S_IRWXU) == 0;
        if (!made && errno != EEXIST) return no_folder(folder, errno);
        UniqueFd lock(open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
        if (!lock && errno == ENOENT) continue;
        if (!lock || !is_private(lock.get())) return no_folder(folder, EEXIST);
        if (is_locked_by_another(lock.get())) return std::optional<SessionName>();
        const auto stamp = file_stamp(lock.get());
        if (!stamp) return no_folder(folder, errno);
        SessionName taken(place, name, std::move(lock), *stamp);
        if (!stands_for(folder.c_str(), stamp->id)) continue;  // removed meanwhile
        if (made) return std::optional(std::move(taken));
        // Without a lock: of a build that knows none, or left by one that was killed. That one's
        // folder goes, as a list of what it left may still name it.
        const auto holder = SessionClient::holder(place, name);
        if (!holder || *holder != 0) taken.leave_to_child();
        if (!holder) return holder.error();
        if (*holder != 0) return std::optional<SessionName>();
    }
}

Result<std::optional<SessionName>> SessionName::take(const SessionPlace& place, std::string name,
                                                     milliseconds wait) {
    const auto deadline = Clock::now() + wait;
    for (;;) {
        auto taken = try_to_take(place, name);
        const bool is_had = taken && !taken->has_value();
        if (!is_had || Clock::now() >= deadline) return taken;
        const auto holder = SessionClient::holder(place, name);
        if (!holder || *holder != 0) return taken;
        Clock::pause(between_tries);
    }
}

}  // namespace launch
