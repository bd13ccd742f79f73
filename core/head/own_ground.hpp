// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "core/async/event.hpp"
#include "core/head/ground_hosts.hpp"
#include "core/head/head_tree.hpp"
#include "core/head/spawn_ground.hpp"

namespace launch {

/// The hosts of a tree that was started for one job, whose ranks ask for more. They get slots that
/// are free (keep_to_slots()). Hosts that the user gave and the job did not need, and those that
/// ranks ask for, join the tree when processes are to go there, and are part of it from then on.
class OwnGround final : public SpawnGround {
  public:
    /// All outlive this. The plan is the job's, with its ranks' places as they become known.
    OwnGround(any_io_executor executor, HeadTree& tree, const Plan& plan,
              const Factories& factories);

    awaitable<Result<Place>> place(SpawnSpec wanted, uint32_t space) override;
    awaitable<Status> grow(std::vector<Host> hosts) override;
    awaitable<Status> release(std::vector<Host> hosts) override;
    void end() override;

  private:
    /// On which hosts they are to run.
    struct Dealt {
        Placement placement;           ///< among those of the places
        std::vector<uint32_t> places;  ///< see GroundHosts
        Status fits = Ok{};            ///< see keep_to_slots()
    };

    GroundHosts& hosts();
    Result<Dealt> deal(const SpawnSpec& wanted);
    awaitable<Status> start(const std::vector<uint32_t>& places);
    Result<std::vector<uint32_t>> releasable(const std::vector<Host>& wanted);
    void tell(bool joined, const std::vector<uint32_t>& places) const;
    Plan plan(JobSpec spec, const Dealt& dealt, uint32_t space) const;
    std::vector<Host> hosts_of(const std::vector<uint32_t>& places) const;
    bool is_named(const Host& host, const SpawnSpec& wanted) const;
    bool is_starting(NodeIndex node) const;
    bool is_up(NodeIndex node) const;
    std::string own_name() const;

    any_io_executor executor_;
    HeadTree& tree_;
    const Plan& plan_;
    const Factories& factories_;
    std::optional<GroundHosts> hosts_;  ///< from when the first asks: then the job is placed
    uint32_t last_job_ = static_cast<uint32_t>(first_job);
    uint32_t placed_ = 0;  ///< spawned jobs that have slots
    bool ends_ = false;
    Event changed_;
};

}  // namespace launch
