#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "core/job/job_spec.hpp"

namespace launch {

/// Readers of option values. Each returns what is wrong with the text as a clause, or an empty
/// string when the result was filled.

std::string read_number(std::string_view text, uint64_t min, uint64_t max, uint64_t& number);

/// "10", "1.5s", "200ms", "2m", "1h": a time of at most a year; without a unit it is seconds.
std::string read_duration(std::string_view text, milliseconds& duration);

/// "all", "none", or a rank.
std::string read_stdin_target(std::string_view text, StdinTarget& target);

/// "block" or "slot"; "cyclic", "node" or "host".
std::string read_mapping(std::string_view text, Mapping& mapping);

/// A name of core/job/modex_choice.hpp.
std::string read_pmi(std::string_view text, PmiChoice& choice);
std::string read_modex(std::string_view text, ModexChoice& choice);

/// "abort" or "continue".
std::string read_host_loss(std::string_view text, HostLoss& loss);

/// A name of core/job/link_choice.hpp.
std::string read_links(std::string_view text, LinkChoice& choice);

/// A name of core/job/push_choice.hpp.
std::string read_push(std::string_view text, PushChoice& choice);

/// "all", "none", or names of core/job/rank_limits.hpp between commas.
std::string read_resources(std::string_view text, Resources& resources);

/// "5000-5100", or one port.
std::string read_ports(std::string_view text, PortRange& ports);

/// "text" or "json".
std::string read_format(std::string_view text, bool& json);

}  // namespace launch
