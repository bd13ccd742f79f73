#pragma once

#include <memory>
#include <vector>

#include "core/head/head_tree.hpp"
#include "core/head/spawn_ground.hpp"

namespace launch {

/// The hosts of a tree that was started for one job, whose ranks ask for more. As at a job's start,
/// there may be more ranks than slots: free ones are filled first.
class OwnGround final : public SpawnGround {
  public:
    /// All outlive this. The plan is the job's, with its ranks' places as they become known.
    OwnGround(any_io_executor executor, HeadTree& tree, const Plan& plan,
              const Factories& factories);

    awaitable<Result<Place>> place(SpawnSpec wanted, uint32_t space) override;

  private:
    Result<Plan> plan(SpawnSpec wanted, uint32_t space) const;
    void count(const Placement& placement, int sign);

    any_io_executor executor_;
    HeadTree& tree_;
    const Plan& plan_;
    const Factories& factories_;
    std::vector<uint32_t> used_;  ///< slots of each host that spawned ranks have
    uint32_t last_job_ = static_cast<uint32_t>(first_job);
};

}  // namespace launch
