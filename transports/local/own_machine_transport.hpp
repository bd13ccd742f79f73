// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/transport.hpp"

namespace launch {

/// Starts hosts by `others`, except those that have one of the names, which are this machine:
/// `here` starts them, without a login.
std::unique_ptr<Transport> make_own_machine_transport(std::vector<std::string> names,
                                                      std::unique_ptr<Transport> here,
                                                      std::unique_ptr<Transport> others);

}  // namespace launch
