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
Reached reached(const TreeMessage& tree);

}  // namespace launch
