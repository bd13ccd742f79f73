// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "cmd/options/table.hpp"
#include "core/job/bind_choice.hpp"

namespace launch {

/// Readers and writers of what binds ranks, as those of values.hpp. The words of MPICH's and of
/// Open MPI's mpiexec are read as well as launch's own.

/// "core", "core:2", "core:overload", "none", "auto", "cpuset", "user:0-3,4-7".
std::string read_bind(std::string_view text, BindChoice& bind);
std::string write_bind(const BindChoice& bind);
std::vector<ChoiceWord> bind_words();

/// "slot", "node", "socket", "ppr:2:socket", "core:PE=2"; see MapBy.
std::string read_map_by(std::string_view text, MapBy& map);
std::string write_map_by(const MapBy& map);
std::vector<ChoiceWord> map_by_words();

/// "auto", "none", or how many.
std::string read_gpus(std::string_view text, GpuChoice& gpus);
std::string write_gpus(const GpuChoice& gpus);
std::vector<ChoiceWord> gpu_words();

/// A part of the machine; "slot" is all of it, over which numbers go as they come.
std::string read_rank_by(std::string_view text, MachinePart& part);
std::string write_rank_by(MachinePart part);
std::vector<ChoiceWord> rank_by_words();

}  // namespace launch
