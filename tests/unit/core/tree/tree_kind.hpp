// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace launch {

/// The properties of a random tree, by its seed. Each is drawn by itself, so that a share of the
/// seeds has all kinds.
struct TreeKind {
    enum class Cables : uint8_t { perfect, near, far, in_pieces };
    enum class Logins : uint8_t { at_once, slow, some_fail };

    explicit TreeKind(uint32_t seed);
    /// Each property with its value.
    std::vector<std::string> words() const;

    std::string topology;
    std::string routing;  ///< empty: there is no routing tree
    Cables cables{};      ///< all of a tree are alike
    Logins logins{};
    uint32_t deaths = 0;  ///< as many relays die for each twelve hosts
    bool late = false;    ///< ranks are placed when all hosts are known
    bool grows = false;
    bool begins_at_once = false;  ///< with accidents, while hosts are still being started
};

}  // namespace launch
