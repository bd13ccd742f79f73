// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "core/wire/stack_groups.hpp"

namespace launch {

/// The places where ranks are, as `launch stacks` prints them.
std::string stacks_text(const StackGroups& stacks);
std::string stacks_json(const StackGroups& stacks);
/// The tree of functions, each with the ranks that are in it.
std::string stacks_svg(const StackGroups& stacks);
std::string stacks_dot(const StackGroups& stacks);

}  // namespace launch
