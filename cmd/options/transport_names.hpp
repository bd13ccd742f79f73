// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "cmd/options/table.hpp"
#include "core/base/error.hpp"
#include "core/hosts/host.hpp"

namespace launch {

/// The transports that transport_factory() knows, in the order to show them.
std::vector<ChoiceWord> transport_words();

/// The names of those that take no argument.
std::vector<std::string_view> transport_names();

/// Why it is neither one of them nor a command template; or nothing.
std::string objection_to_transport(std::string_view text);

/// Relays reach hosts by it as the head does. Else the head starts all.
bool reaches_from_anywhere(std::string_view transport);

/// A command template has places for what these hosts give. `option`: as the user spelled it.
Status check_hosts_of_transport(const std::string& option, std::string_view transport,
                                const std::vector<Host>& hosts);

/// Lists those that are known.
Error unknown_transport(const std::string& name);

}  // namespace launch
