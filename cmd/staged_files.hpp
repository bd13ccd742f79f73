#pragma once

#include "cmd/command_line.hpp"
#include "cmd/surroundings.hpp"
#include "core/job/job_spec.hpp"

namespace launch {

/// A path as seen from a folder.
std::string absolute(const std::string& path, const std::string& base);

/// What --stage and --stage-program name: found here, readable, each with a place of its own.
Status complete_stage(const CommandLine& line, const Surroundings& around, JobSpec& spec);

}  // namespace launch
