#include "core/bind/cpu_ledger.hpp"

namespace launch {

CpuLedger::Claim CpuLedger::claim(CpuSet cpus) {
    auto claim = std::make_shared<const CpuSet>(std::move(cpus));
    given_.emplace_back(claim);
    ++claims_;
    return claim;
}

CpuSet CpuLedger::claimed() {
    std::erase_if(given_, [](const auto& claim) { return claim.expired(); });
    CpuSet all;
    for (const auto& given : given_)
        if (const Claim claim = given.lock()) all |= *claim;
    return all;
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
