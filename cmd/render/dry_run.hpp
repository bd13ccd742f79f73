// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "cmd/options/settings.hpp"
#include "cmd/render/binding_text.hpp"
#include "core/factories.hpp"
#include "core/job/plan.hpp"

namespace launch {

/// How the relay on a host is started, in one line (Transport::explain).
using StartCommand = std::function<std::string(const Host& host)>;

/// The texts that --explain prints and the plan does not have.
struct Explanation {
    StartCommand start;               ///< not asked on this machine alone
    std::vector<std::string> offers;  ///< for each program, which PMI its ranks are offered
    PlannedBinding binding;
};

/// Returns the output of --dry-run. Asks the transport how it would start hosts; contacts none.
Result<std::string> dry_run(const Plan& plan, const ViewSettings& view, const Factories& factories);

/// The plan as text: what it costs, then the tree, hosts and ranks folded unless view.full.
/// `explanation` is used where view.explain is set.
std::string plan_text(const Plan& plan, const ViewSettings& view, const Explanation& explanation);

/// Raised if a key of plan_json() is removed or changes its meaning.
inline constexpr uint64_t plan_version = 1;

/// Returns the plan as JSON: schemas/plan.json.
std::string plan_json(const Plan& plan, const ViewSettings& view, const Explanation& explanation);

/// Draws the tree of the plan, the head at the left, with a box for each host and its ranks. Unless
/// view.full, alike hosts share a box in a large tree: of siblings with subtrees of one size the
/// first is drawn, and the others are one box with their names.
std::string plan_svg(const Plan& plan, const ViewSettings& view);
/// Returns the same tree in the language of Graphviz' dot.
std::string plan_dot(const Plan& plan, const ViewSettings& view);

}  // namespace launch
