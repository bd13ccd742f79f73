// SPDX-License-Identifier: MIT
#pragma once

#include <string_view>

#include "core/wire/spawn_messages.hpp"

namespace launch {

/// "arg12" is one of the fields "arg". Clients count from 0 or from 1, and send them in order.
inline bool is_numbered(std::string_view name, std::string_view stem) {
    return name.starts_with(stem) && name.size() > stem.size() &&
           name.find_first_not_of("0123456789", stem.size()) == std::string_view::npos;
}

/// Sets the value of the last key. False: there is no key yet.
inline bool set_last_value(SpawnPairs& pairs, std::string_view value) {
    if (pairs.empty()) return false;
    pairs.back().second = value;
    return true;
}

}  // namespace launch
