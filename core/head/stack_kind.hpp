// SPDX-License-Identifier: MIT
#pragma once

#include "core/wire/stack_groups.hpp"

namespace launch {

/// Whether the process waits in a function of MPI, as far as its frames tell. Functions for files
/// do not count: they read and write.
bool is_in_mpi(const Stack& stack);

/// Whether the process waits for another, or for time to pass, such as a shell above a program, or
/// has been stopped.
bool is_asleep(const Stack& stack);

}  // namespace launch
