// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace launch {

/// The variables by which ranks that are not MPI programs find one another: --rendezvous.
enum class RendezvousChoice : uint8_t {
    none,
    env,    ///< what torch.distributed's init_method "env://" reads, and many others do
    torch,  ///< also what torchrun sets besides
    last = torch,
};

constexpr auto rendezvous_choice_names = std::to_array<std::string_view>({"none", "env", "torch"});

}  // namespace launch
