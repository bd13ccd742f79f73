// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "transports/ssh/host_config.hpp"
#include "transports/ssh/known_hosts.hpp"

namespace launch {

/// The entries of the known_hosts files about one host.
struct HostKeys {
    std::vector<KnownKey> keys;
    std::vector<std::shared_ptr<const KnownHosts>> files;  ///< the keys point into them
    std::string unread;  ///< a file that is there and could not be read, and why
};

/// The name by which the host's key is recorded.
std::string recorded_name(const HostConfig& config);

/// The known_hosts files that were asked for, each read once (again when it changed). Threads
/// may share it.
class KnownHostsFiles {
  public:
    HostKeys find(const HostConfig& config);

  private:
    struct File {
        int64_t size = 0;
        int64_t changed_ns = 0;
        std::shared_ptr<const KnownHosts> hosts;
    };
    std::shared_ptr<const KnownHosts> read(const std::string& path, std::string& unread);

    std::mutex mutex_;
    std::map<std::string, File> files_;
};

}  // namespace launch
