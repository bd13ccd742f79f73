// SPDX-License-Identifier: MIT
#pragma once

#include <string>

namespace launch {

/// A file or folder that the head gets from each host with ranks when they have ended (--fetch).
struct FetchSpec {
    std::string remote;  ///< where hosts have it; a relative one is below the folder of their ranks
    std::string dir;     ///< here, absolute: DIR/HOST/NAME is made
    std::string name;    ///< the last name of `remote`

    bool operator==(const FetchSpec&) const = default;
};

}  // namespace launch
