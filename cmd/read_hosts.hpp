#pragma once

#include <istream>
#include <vector>

#include "cmd/command_line.hpp"
#include "core/hosts/host.hpp"

namespace launch {

/// The host file that stands for standard input.
inline constexpr const char* standard_input = "-";

bool hosts_come_from_input(const CommandLine& line);

/// The hosts that a command line names, in its order; empty where it names none.
Result<std::vector<Host>> read_hosts(const CommandLine& line, std::istream& input);

}  // namespace launch
