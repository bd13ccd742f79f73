// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/error.hpp"
#include "core/base/file_text.hpp"
#include "core/hosts/host.hpp"

namespace launch {

/// The source of the hosts for a job that names none.
enum class AllocationChoice : uint8_t {
    automatic,  ///< those of the scheduler's job that launch runs in, if it does
    none,
    slurm,
    pbs,
    lsf,
    grid_engine,
    oar,
    cobalt,
    flux,
};

/// Names as the user writes them, indexed by the value.
constexpr auto allocation_choice_names = std::to_array<std::string_view>(
    {"auto", "none", "slurm", "pbs", "lsf", "sge", "oar", "cobalt", "flux"});

/// The hosts that a scheduler gave to the job in which launch runs.
struct Allocation {
    AllocationChoice choice =
        AllocationChoice::none;  ///< the scheduler whose job this is, as --allocation names it;
                                 ///< none: no allocation was found
    std::string scheduler;       ///< "Slurm"
    std::string how;             ///< "SLURM_JOB_NODELIST, slots by SLURM_TASKS_PER_NODE"
    std::vector<Host> hosts;     ///< each once, with its slots
    /// The choices that demand others which are there too.
    std::vector<AllocationChoice> others;
    /// Why the hosts of a job of Flux, which has to be asked, are not known; empty: they are, or
    /// there is no such job.
    std::string flux_is_silent = {};

    bool is_there() const { return choice != AllocationChoice::none; }
};

/// By what an allocation is found.
struct AllocationSigns {
    const std::vector<std::string>& env;
    std::function<FileText(const std::string& path)> read_file;
    std::function<bool(const std::string& host)> is_here;  ///< whether it is a name of this machine
    /// What a program says, or why there is nothing, as command_output() has it.
    std::function<Result<std::string>(const std::vector<std::string>& argv)> ask;
};

/// Reads what schedulers say of their jobs. Where several do, as one job may have been submitted
/// from within another, it is the innermost: Flux, whose jobs run within others' and not the other
/// way round, or the first (in the order of the choices) whose hosts include this machine, or else
/// the first that can be read. Flux that does not answer counts as none, unless it is demanded.
///
/// Errors are of kind usage: where one is demanded that is not there, and where what is said of
/// the chosen one is wrong, by the names of the variable, file and line.
Result<Allocation> find_allocation(AllocationChoice choice, const AllocationSigns& signs);

/// Some scheduler says of hosts of its job, or has to be asked for them.
bool any_allocation(const std::vector<std::string>& env);

/// A description of this process if others like it would take the same hosts: "a rank of another
/// launch", "one of 16 tasks of srun". Empty: it is alone.
std::string one_of_several(const std::vector<std::string>& env);

}  // namespace launch
