// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "core/bind/machine.hpp"

namespace launch {

struct MachineShape {
    uint32_t sockets = 2;
    uint32_t numas = 1;    ///< in each socket
    uint32_t cores = 4;    ///< in each of them
    uint32_t threads = 1;  ///< in each core
};

/// CPUs are numbered through, core by core. No caches.
inline Machine machine_of(const MachineShape& shape) {
    Machine machine;
    uint32_t cpu = 0;
    const auto add = [&](MachinePart part, uint32_t first) {
        CpuSet cpus;
        for (uint32_t i = first; i < cpu; ++i)
            cpus.add(i);
        machine.all(part).push_back(cpus);
    };
    for (uint32_t socket = 0; socket < shape.sockets; ++socket) {
        const uint32_t first_of_socket = cpu;
        for (uint32_t numa = 0; numa < shape.numas; ++numa) {
            const uint32_t first_of_numa = cpu;
            for (uint32_t core = 0; core < shape.cores; ++core) {
                const uint32_t first_of_core = cpu;
                for (uint32_t thread = 0; thread < shape.threads; ++thread) {
                    ++cpu;
                    add(MachinePart::hwthread, cpu - 1);
                }
                add(MachinePart::core, first_of_core);
            }
            add(MachinePart::numa, first_of_numa);
        }
        add(MachinePart::socket, first_of_socket);
    }
    add(MachinePart::machine, 0);
    machine.usable = machine.all(MachinePart::machine).front();
    return machine;
}

}  // namespace launch
