// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "cmd/options/settings.hpp"
#include "core/job/plan.hpp"

namespace launch {

/// The tree of the plan as a picture, the head at the left: a box for each host with its ranks.
/// Unless view.full, what is alike shares a box where there are many: of siblings with subtrees of
/// one size the first is drawn, and the others are one box with their names.
std::string plan_svg(const Plan& plan, const ViewSettings& view);
/// Returns the same tree in the language of Graphviz' dot.
std::string plan_dot(const Plan& plan, const ViewSettings& view);

}  // namespace launch
