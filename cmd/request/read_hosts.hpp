// SPDX-License-Identifier: MIT
#pragma once

#include <istream>
#include <string>
#include <vector>

#include "cmd/options/settings.hpp"
#include "cmd/request/surroundings.hpp"
#include "core/hosts/host.hpp"

namespace launch {

/// The host file that stands for standard input.
inline constexpr const char* standard_input = "-";

bool hosts_come_from_input(const Settings& line);

/// Whether a rank of this job was said to read standard input.
bool rank_wants_input(const Settings& line);

/// The hosts that a command line names, or else those of the allocation that launch runs in, and
/// which of them each program may use.
struct GivenHosts {
    std::vector<Host> hosts;  ///< in the order of the line; empty if there are no hosts
    /// As JobSpec has them. Hosts that only one of the programs names are those of all.
    std::vector<HostChoice> choices;
    std::string allocation;  ///< as JobSpec has it
    std::vector<std::string> notes;
};

/// The hosts of a file that is not standard_input.
Result<std::vector<Host>> read_host_file(const std::string& path);

/// Hosts that come from standard input, as a list in the settings instead: for whoever has no such
/// input.
Status take_hosts_from_input(Settings& settings, std::istream& input);

/// Whether lists of hosts can be read, and no program has both a list and a file. No file is read.
Status check_host_lists(const Settings& line);

/// The hosts of --exclude.
Result<std::vector<Host>> excluded_hosts(const Settings& line);

Result<GivenHosts> read_hosts(const Settings& line, const Surroundings& around,
                              std::istream& input);

}  // namespace launch
