// SPDX-License-Identifier: MIT
#include "topologies/machine/remembered_machine.hpp"

#include <array>
#include <memory>
#include <mutex>
#include <optional>
#include <utility>

namespace launch {
namespace {

struct Memory {
    std::mutex mutex;
    std::array<std::optional<Machine>, 2> machines;  ///< without its GPUs, with them
};

}  // namespace

MachineReader remembered(MachineReader read) {
    return [read = std::move(read),
            memory = std::make_shared<Memory>()](bool with_gpus) -> Result<Machine> {
        const std::lock_guard lock(memory->mutex);
        auto& known = memory->machines.at(with_gpus ? 1 : 0);
        if (!known) {
            auto machine = read(with_gpus);
            if (!machine) return machine;
            known = *std::move(machine);
        }
        return *known;
    };
}

}  // namespace launch
