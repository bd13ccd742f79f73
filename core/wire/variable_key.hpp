// SPDX-License-Identifier: MIT
#pragma once

#include <string_view>

namespace launch {

/// Keys of our own beside MPI's info keys, for what PMIx says of single variables. Their values are
/// "NAME=VALUE", of `unset` a name, and of those that join two values the character between them
/// comes first.
namespace variable_key {
inline constexpr std::string_view set = "set-env";
inline constexpr std::string_view add = "add-env";  ///< where it has no value yet
inline constexpr std::string_view unset = "unset-env";
inline constexpr std::string_view prepend = "prepend-env";
inline constexpr std::string_view append = "append-env";
}  // namespace variable_key

}  // namespace launch
