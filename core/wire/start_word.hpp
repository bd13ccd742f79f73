// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

namespace launch {

/// The message of FrameType::start_ranks, in its number.
struct StartWord {
    bool may_leave_wdir = false;
    uint16_t rendezvous_port = 0;

    uint64_t number() const { return uint64_t{rendezvous_port} << 1 | (may_leave_wdir ? 1U : 0U); }
    static StartWord of(uint64_t number) {
        return {(number & 1U) != 0, static_cast<uint16_t>(number >> 1)};
    }
};

}  // namespace launch
