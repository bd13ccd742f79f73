// SPDX-License-Identifier: MIT
#include "cmd/options/origin.hpp"

#include "cmd/options/usage_error.hpp"

namespace launch {

std::string place_of(const Origin& origin) {
    return shown_path(origin.file) + ":" + std::to_string(origin.line) + ":" +
           std::to_string(origin.column);
}

std::string named(const Origin& origin) {
    return origin.line == 0 ? origin.name : origin.name + " (" + place_of(origin) + ")";
}

}  // namespace launch
