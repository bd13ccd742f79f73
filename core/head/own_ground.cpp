#include "core/head/own_ground.hpp"

#include <algorithm>

#include "core/base/host_name.hpp"
#include "core/head/guest_tree.hpp"
#include "core/job/deal.hpp"

namespace launch {

OwnGround::OwnGround(any_io_executor executor, HeadTree& tree, const Plan& plan,
                     const Factories& factories)
    : executor_(std::move(executor)),
      tree_(tree),
      plan_(plan),
      factories_(factories),
      used_(plan.hosts.size()) {}

void OwnGround::count(const Placement& placement, int sign) {
    for (size_t i = 0; i < used_.size(); ++i) {
        const uint32_t ranks = local_size(placement.node(i));
        used_[i] = sign > 0 ? used_[i] + ranks : used_[i] - ranks;
    }
}

Result<Plan> OwnGround::plan(SpawnSpec wanted, uint32_t space) const {
    std::vector<Host> hosts;
    std::vector<uint32_t> places;
    std::vector<uint32_t> used;
    for (uint32_t i = 0; i < plan_.hosts.size(); ++i) {
        if (!tree_.hosts().is_up(i + 1)) continue;
        hosts.push_back(plan_.hosts[i]);
        places.push_back(i);
        used.push_back(used_[i] + local_size(plan_.placement.node(i)));
    }
    auto choices = spawn_choices(wanted.hosts, hosts, plan_.local ? host_name() : std::string());
    if (!choices) {
        choices.error().hint = "hosts without ranks run only with --allow-missing, or in a session";
        return std::move(choices.error());
    }
    JobSpec& spec = wanted.spec;
    auto deal = deal_ranks(spec, asked_ranks(spec.programs), hosts, *choices,
                           spec.ppn > 0 ? std::vector<uint32_t>{} : used);
    if (!deal) return std::move(deal.error());
    Plan plan;
    plan.space = space;
    plan.local = plan_.local;
    plan.hosts = plan_.hosts;
    plan.process_mapping =
        factories_.process_mapping(deal->placement.picked(deal->placement.used()));
    plan.placement = deal->placement.arranged(places, plan_.hosts.size());
    plan.universe_size = std::max(plan_.universe_size, plan.placement.ranks());
    plan.spec = std::move(spec);
    return plan;
}

awaitable<Result<SpawnGround::Place>> OwnGround::place(SpawnSpec wanted, uint32_t space) {
    auto made = plan(std::move(wanted), space);
    if (!made) co_return std::move(made.error());
    count(made->placement, 1);
    auto give_back = [this, placement = made->placement] { count(placement, -1); };
    auto tree =
        std::make_unique<GuestTree>(executor_, tree_, JobNumber{++last_job_}, std::move(give_back));
    co_return Place{*std::move(made), std::move(tree)};
}

}  // namespace launch
