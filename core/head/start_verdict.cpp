// SPDX-License-Identifier: MIT
#include "core/head/start_verdict.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "core/job/program_index.hpp"
#include "core/run/start_check.hpp"

namespace launch {
namespace {

/// The ranks of a host by the program that they run.
std::map<size_t, std::vector<uint32_t>> ranks_by_program(const Plan& plan, size_t host) {
    std::map<size_t, std::vector<uint32_t>> ranks;
    for_each_rank(plan.placement.node(host), [&](uint32_t rank) {
        ranks[program_index(plan.spec.programs, rank)].push_back(rank);
    });
    return ranks;
}

/// Hosts with ranks that are to start in the job's folder.
size_t hosts_in_job_folder(const Plan& plan) {
    const auto& programs = plan.spec.programs;
    const auto any_in_it = [&](size_t host) {
        const auto ranks = ranks_by_program(plan, host);
        return std::any_of(ranks.begin(), ranks.end(), [&](const auto& entry) {
            return entry.first < programs.size() && programs[entry.first].wdir.empty();
        });
    };
    size_t hosts = 0;
    for (size_t host = 0; host < plan.hosts.size(); ++host)
        hosts += any_in_it(host) ? 1U : 0U;
    return hosts;
}

}  // namespace

uint16_t rendezvous_port(NodeIndex node, const std::vector<UnreadyMessage>& unready) {
    const auto said = std::find_if(unready.begin(), unready.end(), [&](const auto& message) {
        return message.node == node && message.port != 0;
    });
    return said == unready.end() ? uint16_t{0} : said->port;
}

StartVerdict judge_start(const Plan& plan, const std::vector<UnreadyMessage>& unready) {
    StartVerdict verdict;
    std::vector<RankExit> away;  // from the job's folder
    size_t hosts_away = 0;
    std::set<NodeIndex> heard;
    for (const auto& [node, programs, port] : unready) {
        // Each complains once; no host or program counts twice, whatever a broken one says.
        if (node == 0 || node > plan.hosts.size() || !heard.insert(node).second) continue;
        auto ranks = ranks_by_program(plan, node - 1);
        bool host_is_away = false;
        for (const auto& program : programs) {
            const auto those = ranks.extract(program.index);
            if (those.empty()) continue;
            const bool lacks = lacks_job_folder(plan.spec.programs, program);
            host_is_away = host_is_away || lacks;
            for (const uint32_t rank : those.mapped())
                (lacks ? away : verdict.unable)
                    .push_back({rank, program.why.status, program.why.detail});
        }
        hosts_away += host_is_away ? 1U : 0U;
    }
    verdict.may_leave_wdir = hosts_away > 0 && hosts_away == hosts_in_job_folder(plan);
    if (!verdict.may_leave_wdir)
        verdict.unable.insert(verdict.unable.end(), away.begin(), away.end());
    std::sort(verdict.unable.begin(), verdict.unable.end(),
              [](const auto& a, const auto& b) { return a.rank < b.rank; });
    return verdict;
}

}  // namespace launch
