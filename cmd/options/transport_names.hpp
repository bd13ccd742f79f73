#pragma once

#include <span>
#include <string>
#include <string_view>

#include "core/base/error.hpp"

namespace launch {

/// The names that transport_factory() knows, in the order to show them.
std::span<const std::string_view> known_transports();

/// Lists those that are known.
Error unknown_transport(const std::string& name);

}  // namespace launch
