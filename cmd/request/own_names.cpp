// SPDX-License-Identifier: MIT
#include "cmd/request/own_names.hpp"

#include <algorithm>

#include "core/hosts/this_machine.hpp"

namespace launch {

bool same_machine(std::string_view a, std::string_view b) {
    return a == b || a.substr(0, a.find('.')) == b || a == b.substr(0, b.find('.'));
}

bool all_are_here(const std::vector<Host>& hosts, const std::string& own_host) {
    const auto names = names_of_machine(own_host);
    return !hosts.empty() && std::all_of(hosts.begin(), hosts.end(), [&](const Host& host) {
        return is_this_machine(host, names);
    });
}

}  // namespace launch
