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

}  // namespace launch
