// SPDX-License-Identifier: MIT
#include "transports/ssh/new_host_key.hpp"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <fcntl.h>
#include <sstream>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/base/clock.hpp"
#include "core/base/error.hpp"
#include "core/base/fd.hpp"
#include "core/base/file_text.hpp"
#include "core/base/random.hpp"
#include "transports/ssh/host_keys.hpp"
#include "transports/ssh/known_hosts.hpp"

namespace launch {
namespace {

/// As OpenSSH has them; the user's umask may take from them.
constexpr mode_t folder_mode = 0700;
constexpr mode_t file_mode = 0644;
constexpr size_t salt_size = 20;
constexpr std::chrono::seconds lock_patience(1);
constexpr std::chrono::milliseconds lock_pause(5);

/// As OpenSSH: no other folder is ever made.
void make_ssh_folder(const std::string& path, const std::string& home) {
    const std::string folder = home + "/.ssh";
    if (path.starts_with(folder + "/")) ::mkdir(folder.c_str(), folder_mode);
}

/// Among all who add to the file, also through a network file system, where appending alone loses
/// lines. Where somebody holds it for long, or it cannot be had, we go on: appending keeps lines
/// whole on every other file system.
void lock(int fd) {
    const auto deadline = Clock::now() + lock_patience;
    while (::flock(fd, LOCK_EX | LOCK_NB) != 0) {
        if (errno != EWOULDBLOCK || Clock::now() > deadline) return;
        Clock::pause(lock_pause);
    }
}

bool has(std::string text, const HostConfig& config, const NewHostKey& key) {
    const KnownHosts hosts({}, std::move(text));
    std::vector<KnownKey> found;
    hosts.find(recorded_name(config), found);
    return std::any_of(found.begin(), found.end(), [&](const KnownKey& known) {
        return known.marker == KnownKey::Marker::none && known.key == key.key;
    });
}

}  // namespace

NewHostKey new_host_key(const HostConfig& config, std::string type, std::string key) {
    const std::string salt = config.hash_names ? random_bytes(salt_size) : std::string();
    return {known_hosts_field(recorded_name(config), salt), std::move(type), std::move(key)};
}

std::vector<NewHostKey> read_new_keys(const std::string& text) {
    std::vector<NewHostKey> keys;
    std::istringstream stream(text);
    std::string line;
    while (std::getline(stream, line)) {
        NewHostKey key;
        std::istringstream words(line);
        if (words >> key.field >> key.type >> key.key) keys.push_back(std::move(key));
    }
    return keys;
}

std::string record_host_key(const HostConfig& config, const std::string& home,
                            const NewHostKey& key) {
    const std::string& path = config.new_keys_file;
    if (path.empty()) return "UserKnownHostsFile names no file";
    make_ssh_folder(path, home);
    const UniqueFd file(::open(path.c_str(), O_RDWR | O_APPEND | O_CREAT | O_CLOEXEC, file_mode));
    if (!file) return path + ": " + errno_text(errno);
    struct stat info {};
    if (::fstat(file.get(), &info) == 0 && !S_ISREG(info.st_mode)) return {};  // /dev/null
    lock(file.get());
    FileText there = read_file(file.get());
    if (there.error != 0) return path + ": " + errno_text(there.error);
    const bool open_end = !there.text.empty() && there.text.back() != '\n';
    if (has(std::move(there.text), config, key)) return {};
    const std::string line =
        (open_end ? "\n" : "") + key.field + " " + key.type + " " + key.key + "\n";
    const ssize_t written = ::write(file.get(), line.data(), line.size());
    if (written == static_cast<ssize_t>(line.size())) return {};
    return path + ": " + errno_text(written < 0 ? errno : ENOSPC);
}

}  // namespace launch
