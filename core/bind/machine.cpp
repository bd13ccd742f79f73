// SPDX-License-Identifier: MIT
#include "core/bind/machine.hpp"

namespace launch {

Machine::Parts Machine::usable_parts(MachinePart part) const {
    Parts found;
    for (const CpuSet& cpus : all(part)) {
        CpuSet mine = cpus & usable;
        if (!mine.empty()) found.push_back(std::move(mine));
    }
    return found;
}

Machine without_cores_of(Machine machine, const CpuSet& cpus) {
    CpuSet taken = cpus;
    for (const CpuSet& core : machine.all(MachinePart::core))
        if (core.meets(cpus)) taken |= core;
    CpuSet left;
    for (const uint32_t cpu : machine.usable.list())
        if (!taken.has(cpu)) left.add(cpu);
    machine.usable = left;
    return machine;
}

}  // namespace launch
