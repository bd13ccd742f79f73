// SPDX-License-Identifier: MIT
#include "transports/command/call_file.hpp"

#include <cerrno>
#include <cstdlib>
#include <fcntl.h>
#include <pwd.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

#include "core/base/fd.hpp"
#include "core/base/hex.hpp"
#include "core/base/random.hpp"

namespace launch {
namespace {

constexpr size_t name_size = 16;

/// 0, or errno.
int write_all(int file, std::string_view text) {
    while (!text.empty()) {
        const ssize_t n = write(file, text.data(), text.size());
        if (n < 0 && errno == EINTR) continue;
        if (n < 0) return errno;
        text.remove_prefix(static_cast<size_t>(n));
    }
    return 0;
}

/// Other hosts read it when this returns 0. Some file systems tell of a full disk at the end only.
int write_file(const std::string& path, std::string_view text) {
    const int how = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC;
    UniqueFd file(open(path.c_str(), how, S_IRUSR | S_IWUSR));
    if (!file) return errno;
    if (const int error = write_all(file.get(), text); error != 0) return error;
    if (fsync(file.get()) != 0) return errno;
    return close(file.release()) != 0 && errno != EINTR ? errno : 0;
}

}  // namespace

CallFile::CallFile(std::string path, RemovalList* to_remove) : path_(std::move(path)) {
    if (to_remove == nullptr) return;
    to_remove_.emplace(*to_remove);
    to_remove_->add_file(path_, {});
}

CallFile::CallFile(CallFile&& other) noexcept
    : path_(std::exchange(other.path_, {})), to_remove_(std::exchange(other.to_remove_, {})) {}

CallFile::~CallFile() {
    if (path_.empty()) return;
    unlink(path_.c_str());
    if (to_remove_) to_remove_->remove();
}

Result<CallFile> CallFile::make(const std::string& folder, std::string_view text,
                                RemovalList* to_remove) {
    CallFile made(folder + "/" + std::string(call_file_prefix) + hex_bytes(random_bytes(name_size)),
                  to_remove);
    if (const int error = write_file(made.path_, text); error != 0) {
        Error failure = os_error("write a file in " + folder, error);
        failure.hint =
            "hosts read the address of the head there; choose a shared folder that you can "
            "write to: --call-folder DIR";
        return failure;
    }
    return made;
}

std::string usual_call_folder() {
    const char* home = std::getenv("HOME");
    if (home != nullptr && *home == '/') return home;
    const passwd* user = getpwuid(geteuid());
    return user != nullptr ? user->pw_dir : "/";
}

}  // namespace launch
