// SPDX-License-Identifier: MIT
#include "core/base/host_name.hpp"

#include <array>
#include <unistd.h>

namespace launch {

std::string host_name() {
    std::array<char, 256> name{};
    return gethostname(name.data(), name.size() - 1) == 0 ? name.data() : std::string();
}

}  // namespace launch
