// SPDX-License-Identifier: MIT
#pragma once

#include <string_view>

namespace launch {

/// The part of a path after its last '/', or the whole path if it has no '/'.
constexpr std::string_view base_name(std::string_view path) {
    return path.substr(path.rfind('/') + 1);
}

}  // namespace launch
