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

}  // namespace launch
