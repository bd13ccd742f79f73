// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "core/bind/machine.hpp"

namespace launch {

/// Reads the parts of this host by hwloc, whose library is opened when this is first called: a host
/// without it can run ranks, but not bind them. Slow on a large machine (its folders in /sys are
/// read), so not for the thread of the io_context; I/O devices are looked for only if GPUs are
/// requested. The machine that HWLOC_XMLFILE or HWLOC_SYNTHETIC describe is used instead, as in all
/// programs that use hwloc.
Result<Machine> read_machine(bool with_gpus);

/// One described in hwloc's words, "pack:2 core:4 pu:2".
Result<Machine> synthetic_machine(const std::string& description);

/// One in hwloc's XML, with its GPUs.
Result<Machine> described_machine(const std::string& xml);

}  // namespace launch
