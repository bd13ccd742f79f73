// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "core/hosts/host.hpp"
#include "core/job/job_spec.hpp"
#include "transports/ssh/config_text.hpp"
#include "transports/ssh/host_config.hpp"

namespace launch {

/// How this user reaches hosts by ssh: who he is, what his configuration says of each host, and
/// whether he trusts hosts whose keys are new. One for all transports that go by it; files are
/// read once, when the first host is asked for. One thread.
class SshProfile {
  public:
    explicit SshProfile(const TransportOptions& options);

    /// `ssh_config` is a file that there is here, "none", or empty.
    const TransportOptions& options() const { return options_; }
    const std::string& home() { return read().user_.home; }
    HostConfig resolve(const Host& host);
    /// The decision for a host whose key is in no known_hosts file.
    bool accepts_new_keys(const HostConfig& config) const {
        return options_.accept_unknown_keys || config.trust != HostConfig::Trust::strict;
    }

  private:
    SshProfile& read();

    TransportOptions options_;
    bool read_ = false;
    SshUser user_;
    std::vector<ConfigLine> lines_;
};

}  // namespace launch
