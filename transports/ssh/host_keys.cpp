// SPDX-License-Identifier: MIT
#include "transports/ssh/host_keys.hpp"

#include <algorithm>
#include <cerrno>
#include <sys/stat.h>

#include "core/base/error.hpp"
#include "core/base/file_text.hpp"

namespace launch {
namespace {

bool names_a_key(const KnownKey& line) {
    return line.marker == KnownKey::Marker::none;
}

}  // namespace

std::shared_ptr<const KnownHosts> KnownHostsFiles::read(const std::string& path,
                                                        std::string& unread) {
    struct stat status {};
    if (::stat(path.c_str(), &status) != 0) {
        if (!is_absent(errno)) unread = path + ": " + errno_text(errno);
        return nullptr;
    }
    const int64_t changed = int64_t(status.st_mtim.tv_sec) * 1'000'000'000 + status.st_mtim.tv_nsec;
    // Held while reading: others who want the same file wait instead of reading it, too.
    const std::lock_guard lock(mutex_);
    File& file = files_[path];
    if (file.hosts && file.size == status.st_size && file.changed_ns == changed) return file.hosts;
    FileText read = read_file(path);
    if (read.error != 0) {
        unread = path + ": " + errno_text(read.error);
        return nullptr;
    }
    file = {status.st_size, changed,
            std::make_shared<const KnownHosts>(path, std::move(read.text))};
    return file.hosts;
}

std::string recorded_name(const HostConfig& config) {
    if (!config.key_alias.empty()) return config.key_alias;
    return known_hosts_name(config.host_name, config.port);
}

HostKeys KnownHostsFiles::find(const HostConfig& config) {
    HostKeys found;
    for (const auto& path : config.known_hosts_files) {
        if (auto file = read(path, found.unread)) found.files.push_back(std::move(file));
    }
    const auto look_for = [&](const std::string& name) {
        for (const auto& file : found.files)
            file->find(name, found.keys);
    };
    look_for(recorded_name(config));
    if (!config.key_alias.empty() || config.port == 22 ||
        std::any_of(found.keys.begin(), found.keys.end(), names_a_key))
        return found;
    // As OpenSSH: a host's usual key is good for its other ports where those have none; another
    // key there is no contradiction.
    const size_t own = found.keys.size();
    look_for(config.host_name);
    for (size_t i = own; i < found.keys.size(); ++i)
        found.keys[i].other_port = true;
    return found;
}

}  // namespace launch
