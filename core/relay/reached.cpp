// SPDX-License-Identifier: MIT
#include "core/relay/reached.hpp"

#include <cstdlib>
#include <sstream>

namespace launch {

Reached reached(const TreeMessage& tree, const std::string& parent) {
    if (!parent.empty()) return {parent, parent};
    if (tree.is_local()) return {"127.0.0.1", "127.0.0.1"};
    const char* connection = std::getenv("SSH_CONNECTION");
    std::istringstream words(connection != nullptr ? connection : "");
    Reached reached;
    std::string port;
    words >> reached.from >> port >> reached.by;
    return reached;
}

}  // namespace launch
