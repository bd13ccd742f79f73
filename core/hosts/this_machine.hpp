// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/hosts/host.hpp"

namespace launch {

/// The names by which a list of hosts may mean the machine that launch runs on, as far as they are
/// known without a name server: first `host_name`, its own, by which others know it, then that
/// without its domain, those of the loopback, and the addresses of its network interfaces.
std::vector<std::string> names_of_machine(const std::string& host_name);

/// One that means another machine on every host, such as localhost.
bool is_loopback_name(std::string_view name);

/// It has one of these names, and neither a user nor a port, so that nobody need log in.
bool is_this_machine(const Host& host, const std::vector<std::string>& names);

/// Calls the hosts `name` that are this machine, by these names of it, and have one of the
/// loopback.
void rename_loopback(std::vector<Host>& hosts, const std::vector<std::string>& names,
                     const std::string& name);

}  // namespace launch
