// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace launch {

/// The interface by which debuggers of parallel programs, such as TotalView and DDT, find the
/// processes of a job in the memory of the process that the user started ("The MPIR Process
/// Acquisition Interface", version 1.1, MPI Forum, 2018).
namespace mpir {

struct Process {
    std::string host;
    std::string program;
    int32_t pid = 0;
};

/// A debugger has started this process, and wants to see the ranks before they run.
bool is_debugged();
/// Call it before this process forks: the processes after that see one table, which a debugger of
/// any of them finds. False: that is not possible here.
bool share();
/// Fills the table, and calls MPIR_Breakpoint(), where a debugger that has started this process
/// stops it.
void show(const std::vector<Process>& processes);

}  // namespace mpir
}  // namespace launch
