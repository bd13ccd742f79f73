#pragma once

#include "modex/exchange/all_gather/schedule.hpp"

namespace launch {

/// The concatenation of Bruck, Ho, Kipnis, Upfal and Weathersby, "Efficient Algorithms for
/// All-to-All Communications in Multiport Message-Passing Systems" (IEEE TPDS 8(11), 1997), with
/// one port: in round k all that a node has, which doubles, goes 2^k nodes back along the circle.
/// ceil(log2 n) rounds, and as many links again, for any n.
std::unique_ptr<AllGatherSchedule> make_bruck_schedule(uint32_t self, uint32_t nodes);

}  // namespace launch
