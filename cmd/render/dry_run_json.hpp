// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "cmd/render/dry_run.hpp"

namespace launch {

/// The plan as one JSON object:
///
///     version    plan_version
///     ranks      how many
///     mapping    "block" or "cyclic"
///     programs   [{"argv": [...], "ranks": N}], in the order of their ranks; where a program has
///                hosts of its own, "nodes": [I, ...]; with --explain, "offer": which PMI the
///                ranks are offered, in words
///     local      true: no hosts were given, the ranks are children of launch itself
///     transport  name
///     topology   name; depth, degree (the largest) of the tree; with --explain, reason
///     hosts      [{"node": I, "name": .., "user": .., "port": .., "slots": N, "parent": I,
///                  "ranks": [[first, count, stride], ...]}], one a line
///
/// Node 0 is the head. user and port stand only where they were given, and "spare": true at hosts
/// that wait for others to fail. With --explain a host also
/// has "start": how its relay is started, in one line.
/// Raised when a key changes its meaning or goes; one that only comes is no new version.
inline constexpr uint64_t plan_version = 1;

std::string plan_json(const Plan& plan, const ViewSettings& view, const Explanation& explanation);

}  // namespace launch
