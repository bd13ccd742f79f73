// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <set>
#include <string>

namespace launch {

/// Numbers of the steps of a random run, from 0: of what disturbs it.
using Steps = std::set<uint32_t>;

/// As few of `count` steps as will do for the run to fail: leaves out halves of them, then ever
/// smaller parts (A. Zeller, R. Hildebrandt, "Simplifying and isolating failure-inducing input",
/// TSE 2002). `fails`: a run with only these steps does.
Steps shrink(uint32_t count, const std::function<bool(const Steps&)>& fails);

/// The steps that LAUNCH_RANDOM_STEPS names; nothing: all of them.
std::optional<Steps> named_steps();
std::string steps_text(const Steps& steps);

}  // namespace launch
