// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "transports/ssh/config_text.hpp"

namespace launch {

/// One criterion of a Match line of ssh_config(5).
struct Criterion {
    std::string name;  ///< in lower case
    bool negated = false;
    std::optional<std::string> argument;  ///< of those that take one; nothing: it is missing
};

/// The words behind Match: `host A user=B !final all`. Pure.
std::vector<Criterion> split_match_line(const std::vector<std::string>& words);

/// Some Match line, also one in a part that does not apply, asks for another pass over the whole
/// config, in which `final` holds. Pure.
bool asks_for_final_pass(const std::vector<ConfigLine>& config);

}  // namespace launch
