// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <functional>
#include <string>
#include <vector>

#include "core/base/cpu_set.hpp"
#include "core/base/error.hpp"
#include "core/job/bind_choice.hpp"

namespace launch {

/// A GPU or another accelerator of a kind that launch can deal out.
struct Gpu {
    enum class Vendor : uint8_t { nvidia, amd, intel };

    Vendor vendor = Vendor::nvidia;
    CpuSet near;  ///< those closest to it
};

/// A host's processors: of each kind of part the CPUs of every one, in the machine's own order.
/// A kind that the host does not have is empty, as the L3 cache of many virtual machines.
struct Machine {
    using Parts = std::vector<CpuSet>;

    CpuSet usable;  ///< by this job: within what a cgroup, a scheduler or taskset(1) allows
    std::array<Parts, static_cast<std::size_t>(MachinePart::last) + 1> parts;
    /// It is the one that this process runs on, not one that was described to it.
    bool is_here = true;
    std::vector<Gpu> gpus;  ///< by their place on the PCI bus, if they were asked for

    Parts& all(MachinePart part) { return parts.at(static_cast<std::size_t>(part)); }
    const Parts& all(MachinePart part) const { return parts.at(static_cast<std::size_t>(part)); }
    /// The parts with usable CPUs, each reduced to these CPUs.
    Parts usable_parts(MachinePart part) const;
};

/// The machine as if the cores with one of these CPUs were not to be used.
Machine without_cores_of(Machine machine, const CpuSet& cpus);

/// Reads this host's; its GPUs only if they are asked for, as that takes longer. May take a while:
/// not for the thread of the io_context. Not all hosts can.
using MachineReader = std::function<Result<Machine>(bool with_gpus)>;

}  // namespace launch
