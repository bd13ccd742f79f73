// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/base/error.hpp"
#include "core/hosts/scheduler_hosts.hpp"

namespace launch {

/// The query to Flux, whose jobs get no hosts in variables, as an argv; empty: this is not a job of
/// Flux. A batch job is an instance of Flux of its own, that of FLUX_URI, and has all hosts of it;
/// a program that `flux run` started has those of the job FLUX_JOB_ID in a larger one. (flux-core,
/// src/broker/runat.c: env_blocklist; flux-resource(1), flux-jobs(1).)
std::vector<std::string> flux_question(const std::vector<std::string>& env);

/// The answer: "NODES CORES HOSTS" on each line, as in "4 32 node[001-004]". A host has as many
/// slots as cores, on the average of its line.
Result<SchedulerHosts> read_flux_hosts(const SchedulerText& text);

}  // namespace launch
