// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cmd/doctor/host_facts.hpp"
#include "core/base/error.hpp"
#include "core/job/job_spec.hpp"
#include "core/start_clock.hpp"
#include "core/wire/messages.hpp"

namespace launch {

/// The facts and failures of one host.
struct ExaminedHost {
    std::string name;
    bool is_up = false;             ///< its relay was started
    std::optional<Error> failure;   ///< why not, or why it was lost
    std::string started_by;         ///< the host that started it, or tried to; empty: this machine
    bool starts_from_here = false;  ///< another host could not start it, but this machine can
    StartStage longest = StartStage::queued;  ///< what took longest of its start; see longest_us
    uint64_t longest_us = 0;                  ///< 0: it is not known
    std::vector<NoticeMessage> notices;
    std::optional<HostFacts> facts;
    std::string why_no_facts;  ///< of one that is up
    /// Between these times of this machine's calendar the host read its own clock.
    uint64_t earliest_us = 0;
    uint64_t latest_us = 0;
};

/// All that was seen.
struct Examination {
    HostFacts here;
    std::vector<ExaminedHost> hosts;
    bool is_local = false;         ///< no host but this machine
    bool reaches_by_name = false;  ///< hosts are reached by names that the resolver knows
    LinkChoice links = LinkChoice::automatic;
    std::string wdir;               ///< where launch was started
    uint64_t executable_bytes = 0;  ///< of launch, as it is sent to hosts
    int signal = 0;                 ///< the user's, which ended it early; 0: none
};

/// Starts relays on the hosts as any launch does, and runs a check on each that is up; hosts that
/// another host could not start are then tried from here. An Error: no plan can be made, or what
/// ended it is no host's fault.
Result<Examination> examine_hosts(JobSpec spec, const std::string& wdir);

}  // namespace launch
