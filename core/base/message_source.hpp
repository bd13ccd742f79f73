// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <optional>
#include <string>

namespace launch {

/// Messages that are made one after the other, each when there is room for it, so that what waits
/// for a slow neighbour is not a copy of all. Gives nothing when the one before was the last.
using MessageSource = std::function<std::optional<std::string>()>;

}  // namespace launch
