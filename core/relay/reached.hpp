// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "core/wire/tree_message.hpp"

namespace launch {

/// The addresses from which and by which this process was reached, where the remote service says so
/// (sshd's SSH_CONNECTION); empty: unknown.
struct Reached {
    std::string from;
    std::string by;
};
/// `parent`: the parent's address, if it told one, as it does to a relay on its own machine.
Reached reached(const TreeMessage& tree, const std::string& parent);

}  // namespace launch
