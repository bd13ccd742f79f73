#pragma once

#include "modex/exchange/all_gather/schedule.hpp"

namespace launch {

/// Each step passes to the next node what the step before brought from the previous one: n - 1
/// steps, two links a node.
std::unique_ptr<AllGatherSchedule> make_ring_schedule(uint32_t self, uint32_t nodes);

}  // namespace launch
