// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace launch {

/// The files that /etc/ld.so.cache, whose bytes these are, has for a library, best first: those
/// of all architectures. None for bytes of another form.
std::vector<std::string> find_in_ld_cache(std::string_view cache, std::string_view library);

}  // namespace launch
