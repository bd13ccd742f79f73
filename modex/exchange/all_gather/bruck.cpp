#include <algorithm>
#include <bit>

#include "modex/exchange/all_gather/schedule.hpp"

namespace launch {
namespace {

class Bruck : public AllGatherSchedule {
  public:
    Bruck(uint32_t self, uint32_t nodes) : self_(self), nodes_(nodes) {}

    uint32_t steps() const override { return static_cast<uint32_t>(std::bit_width(nodes_ - 1)); }
    GatherStep step(uint32_t index) const override {
        const uint32_t distance = uint32_t{1} << index;  // and how many it has
        const uint32_t count = std::min(distance, nodes_ - distance);
        const uint32_t from = after(distance);
        return {Transfer{after(nodes_ - distance), self_, count}, Transfer{from, from, count}};
    }

  private:
    uint32_t after(uint32_t distance) const {
        return static_cast<uint32_t>((uint64_t{self_} + distance) % nodes_);
    }

    uint32_t self_;
    uint32_t nodes_;
};

}  // namespace

std::unique_ptr<AllGatherSchedule> make_bruck_schedule(uint32_t self, uint32_t nodes) {
    return std::make_unique<Bruck>(self, nodes);
}

}  // namespace launch
