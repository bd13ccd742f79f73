#include "modex/exchange/all_gather/schedule.hpp"

namespace launch {

std::unique_ptr<AllGatherSchedule> make_schedule(GatherWay way, uint32_t self, uint32_t nodes) {
    switch (way) {
        case GatherWay::bruck: return make_bruck_schedule(self, nodes);
        case GatherWay::doubling: return make_doubling_schedule(self, nodes);
        case GatherWay::ring:
        case GatherWay::tree: break;
    }
    return make_ring_schedule(self, nodes);
}

}  // namespace launch
