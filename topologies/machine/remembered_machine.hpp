// SPDX-License-Identifier: MIT
#pragma once

#include "core/bind/machine.hpp"

namespace launch {

/// Reads the machine once, for all jobs of a process: a job in a session would otherwise spend more
/// time on that than on its start. From any thread. A failed read is tried again.
MachineReader remembered(MachineReader read);

}  // namespace launch
