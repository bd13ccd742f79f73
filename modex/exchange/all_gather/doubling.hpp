#pragma once

#include "modex/exchange/all_gather/schedule.hpp"

namespace launch {

/// Recursive doubling: the links of a hypercube. Where n is no power of two, n = 2^k + r, the first
/// 2r nodes fold: of each two the even one gives to the odd one what it has, and gets the rest
/// after the k steps that the others make (Thakur, Rabenseifner and Gropp, "Optimization of
/// Collective Communication Operations in MPICH", IJHPCA 19(1), 2005, as they do for reductions).
/// k steps, or k + 2.
std::unique_ptr<AllGatherSchedule> make_doubling_schedule(uint32_t self, uint32_t nodes);

}  // namespace launch
