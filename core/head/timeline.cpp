// SPDX-License-Identifier: MIT
#include "core/head/timeline.hpp"

#include "core/base/unix_time.hpp"

namespace launch {

TimelineRecord::TimelineRecord(const Plan& plan, Time began)
    : plan_(plan), began_(began), began_unix_us_(unix_us_now()), hosts_(plan.hosts.size()) {}

void TimelineRecord::up(const std::vector<NodeIndex>& nodes, Time now) {
    for (const NodeIndex node : nodes)
        if (node > 0 && node <= hosts_.size() && !hosts_[node - 1].up_us)
            hosts_[node - 1].up_us = since_began(now);
}

void TimelineRecord::fail(NodeIndex node, uint64_t now_us, const std::string& error) {
    if (node == 0 || node > hosts_.size() || hosts_[node - 1].failed_us) return;
    hosts_[node - 1].failed_us = now_us;
    hosts_[node - 1].error = error;
}

void TimelineRecord::failed(const FailureMessage& failure, Time now) {
    const uint64_t now_us = since_began(now);
    fail(failure.node, now_us, failure.error.operation + ": " + failure.error.cause);
    for (const NodeRange& range : failure.below)
        for (NodeIndex i = 0; i < range.count && range.first + i <= hosts_.size(); ++i)
            fail(range.first + i, now_us, "lost with " + failure.error.host);
}

/// Null: the job has no such rank.
TimelineRecord::RankEnd* TimelineRecord::rank(uint32_t number) {
    if (number >= plan_.placement.ranks()) return nullptr;
    if (number >= ranks_.size()) ranks_.resize(plan_.placement.ranks());
    return &ranks_[number];
}

void TimelineRecord::take(const CostsMessage& costs) {
    for (const RankCost& cost : costs.ranks)
        if (auto* known = rank(cost.rank)) known->cost = cost;
}

void TimelineRecord::take(const ExitsMessage& exits) {
    for (const RankExit& exit : exits.exits)
        if (auto* known = rank(exit.rank)) known->exit = exit;
}

/// When each node, beginning with the head, learned of the job. A node is started by one that was
/// started before, so a few rounds over all nodes find all times.
std::vector<uint64_t> TimelineRecord::told_at(const HostStarts& starts) const {
    std::vector<uint64_t> told(hosts_.size() + 1, 0);
    std::vector<bool> known(hosts_.size() + 1, false);
    known[0] = true;
    for (bool more = true; more;) {
        more = false;
        for (NodeIndex node = 1; node <= hosts_.size(); ++node) {
            const auto* start = starts.of(node);
            const auto greeted = start ? start->start.at(StartStage::greeted) : std::nullopt;
            if (known[node] || !greeted || start->by >= known.size() || !known[start->by]) continue;
            told[node] = told[start->by] + *greeted;
            known[node] = more = true;
        }
    }
    return told;
}

void TimelineRecord::add_hosts(JobTimeline& line, const HostStarts& starts,
                               const std::vector<uint64_t>& told) const {
    for (NodeIndex node = 1; node <= hosts_.size(); ++node) {
        const HostTimes& host = hosts_[node - 1];
        JobTimeline::Host shown{
            plan_.hosts[node - 1].name, {}, {}, host.up_us, host.failed_us, host.error};
        const auto* known = starts.of(node);
        if (known != nullptr && known->by < told.size()) {
            shown.started_by = known->by;
            for (size_t i = 0; i < start_stages; ++i)
                if (const auto at = known->start.began[i]) shown.began[i] = *at + told[known->by];
        }
        line.hosts.push_back(std::move(shown));
    }
}

void TimelineRecord::add_ranks(JobTimeline& line, const std::vector<uint64_t>& told) const {
    line.ranks.resize(plan_.placement.ranks());
    for (NodeIndex node = 1; node <= hosts_.size(); ++node)
        for_each_rank(plan_.placement.node(node - 1),
                      [&](uint32_t rank) { line.ranks[rank].node = node; });
    for (size_t i = 0; i < line.ranks.size() && i < ranks_.size(); ++i) {
        JobTimeline::Rank& rank = line.ranks[i];
        rank.cost = ranks_[i].cost;
        if (rank.cost) {
            rank.cost->start_us += told[rank.node];
            rank.cost->end_us += told[rank.node];
        }
        if (!ranks_[i].exit) continue;
        rank.ended = ranks_[i].exit->status;
        rank.detail = ranks_[i].exit->detail;
    }
}

JobTimeline TimelineRecord::close(const HostStarts& starts, const PhaseTimes& times,
                                  Time now) const {
    JobTimeline line;
    line.job_id = plan_.spec.job_id;
    if (plan_.session) line.session = plan_.session->name;
    line.programs = plan_.spec.programs;
    line.began_unix_us = began_unix_us_;
    if (times.up != Time()) line.up_us = since_began(times.up);
    line.ending_us = since_began(times.ending);
    line.over_us = since_began(now);
    const auto told = told_at(starts);
    add_hosts(line, starts, told);
    add_ranks(line, told);
    return line;
}

}  // namespace launch
