#pragma once

#include <istream>
#include <string>
#include <vector>

#include "cmd/command_line.hpp"
#include "core/hosts/host.hpp"

namespace launch {

/// The host file that stands for standard input.
inline constexpr const char* standard_input = "-";

bool hosts_come_from_input(const CommandLine& line);

/// The hosts that a command line names, and which of them each program may use.
struct GivenHosts {
    std::vector<Host> hosts;  ///< in the order of the line; empty where it names none
    /// As JobSpec has them. Hosts that only one of the programs names are those of all.
    std::vector<HostChoice> choices;
    std::vector<std::string> notes;
};

Result<GivenHosts> read_hosts(const CommandLine& line, std::istream& input);

}  // namespace launch
