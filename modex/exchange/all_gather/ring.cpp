#include "modex/exchange/all_gather/schedule.hpp"

namespace launch {
namespace {

class Ring : public AllGatherSchedule {
  public:
    Ring(uint32_t self, uint32_t nodes) : self_(self), nodes_(nodes) {}

    uint32_t steps() const override { return nodes_ - 1; }
    GatherStep step(uint32_t index) const override {
        return {Transfer{before(nodes_ - 1), before(index), 1},
                Transfer{before(1), before(index + 1), 1}};
    }

  private:
    uint32_t before(uint32_t distance) const {
        return distance <= self_ ? self_ - distance : nodes_ - (distance - self_);
    }

    uint32_t self_;
    uint32_t nodes_;
};

}  // namespace

std::unique_ptr<AllGatherSchedule> make_ring_schedule(uint32_t self, uint32_t nodes) {
    return std::make_unique<Ring>(self, nodes);
}

}  // namespace launch
