// SPDX-License-Identifier: MIT
#include "core/bind/draw_binding.hpp"

namespace launch {
namespace {

std::string draw_core(const CpuSet& core, const CpuSet& usable, const CpuSet& bound) {
    std::string text;
    for (const uint32_t cpu : core.list())
        text += bound.has(cpu) ? 'B' : usable.has(cpu) ? '.' : '-';
    return text;
}

}  // namespace

std::string draw_binding(const Machine& machine, const CpuSet& bound) {
    std::string text;
    for (const CpuSet& socket : machine.all(MachinePart::socket)) {
        std::string cores;
        for (const CpuSet& core : machine.all(MachinePart::core))
            if (core.meets(socket))
                cores += (cores.empty() ? "" : "/") + draw_core(core, machine.usable, bound);
        text += "[" + cores + "]";
    }
    return text;
}

std::string binding_text(uint32_t rank, const Machine& machine, const CpuSet& bound) {
    const std::string who = "rank " + std::to_string(rank);
    if (bound.empty())
        return who + " is not bound, it may use CPU" + (machine.usable.size() == 1 ? " " : "s ") +
               to_string(machine.usable);
    return who + " is bound to CPU" + (bound.size() == 1 ? " " : "s ") + to_string(bound) + " " +
           draw_binding(machine, bound);
}

}  // namespace launch
