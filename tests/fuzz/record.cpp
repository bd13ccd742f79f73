// SPDX-License-Identifier: MIT
// The head's record of a job, and whatever its relays may tell. The first byte says whether ranks
// are placed late; then a list of reports, each a kind and a body.
#include <cstdint>
#include <set>

#include "core/base/codec.hpp"
#include "core/head/host_record.hpp"
#include "core/head/job_record.hpp"
#include "core/head/start_verdict.hpp"
#include "core/wire/route_messages.hpp"
#include "tests/fuzz/targets.hpp"
#include "topologies/kary.hpp"

namespace launch {
namespace {

using fuzz::require;

constexpr uint32_t hosts = 5;
constexpr uint32_t slots = 2;

Plan make(bool late) {
    JobSpec spec;
    for (const char* name : {"a", "b", "c", "d", "e"})
        spec.hosts.push_back({{}, name, 0, slots});
    spec.programs.push_back({.argv = {"p"}, .ranks = 0, .env = {}, .wdir = {}});
    spec.allow_missing = late;
    auto plan =
        make_plan(std::move(spec), [](const std::string&, uint32_t, NodeIndex, std::string*) {
            return Result<std::unique_ptr<Topology>>(make_kary(2));
        });
    require(bool(plan), "a plan");
    return *std::move(plan);
}

void check(const JobRecord& record, bool placed) {
    const uint32_t ranks = placed ? hosts * slots : 0;
    require(record.running() <= ranks, "no more run than there are");
    require(record.ended_by_us() <= ranks, "nor were ended");
    require(record.hosts_up() <= hosts, "no more hosts than there are");
    require(record.missing_nodes().size() <= hosts, "no more hosts than there are");
    require(record.all_known() == record.missing_nodes().empty(), "unknown ones are missing");
    require(record.failed_ranks().size() <= ranks && record.stuck_ranks().size() <= ranks, "once");
    require(record.hosts_with_running_ranks().size() <= ranks, "no more run than there are");
    require(record.running() == 0 || record.hosts_up() > 0, "where nothing is up nothing runs");
    for (const auto& failure : record.host_failures())
        require(failure.node > 0 && failure.node <= hosts, "of a host of the job");
}

void check(const HostRecord& tree) {
    require(tree.unknown().size() <= hosts, "no more hosts than there are");
    require(tree.all_known() == tree.unknown().empty(), "unknown ones are missing");
}

/// Whatever hosts say that they lack.
void check_verdict(const Plan& plan, const JobRecord& record) {
    const auto verdict = judge_start(plan, record.unready());
    std::set<uint32_t> ranks;
    for (const RankExit& exit : verdict.unable)
        require(exit.rank < hosts * slots && ranks.insert(exit.rank).second, "each rank once");
    require(!verdict.may_leave_wdir || record.unready().size() >= hosts, "where no host has it");
}

}  // namespace

void fuzz::record(std::string_view bytes) {
    if (bytes.empty()) return;
    const bool late = (bytes.front() & 1) != 0;
    const Plan plan = make(late);
    JobRecord record(plan);
    HostRecord tree(plan.hosts);
    Decoder in(bytes.substr(1));
    while (in.ok() && !in.done()) {
        const uint64_t kind = in.number();
        const std::string_view body = in.text();
        if (!in.ok()) break;
        const auto nodes = NodesMessage::decode(body);
        if (kind % 6 == 0 && nodes) {
            tree.up(nodes->nodes);
            for (const NodeIndex node : nodes->nodes)
                record.node_up(node);
        }
        if (kind % 6 == 1 && nodes)
            for (const NodeIndex node : nodes->nodes)
                record.node_staged(node);
        if (const auto failure = FailureMessage::decode(body); kind % 6 == 2 && failure) {
            tree.failed(*failure);
            record.host_failed(*failure);
            if (record.placed()) record.has_ranks(*failure);
        }
        if (const auto exits = ExitsMessage::decode(body); kind % 6 == 3 && exits)
            for (const RankExit& exit : exits->exits)
                record.rank_ended(exit);
        if (const auto fault = FaultMessage::decode(body); kind % 6 == 4 && fault)
            require(record.host_of_rank(fault->rank).size() <= 1, "a host of the job, or none");
        if (const auto routed = RoutedMessage::decode(body); kind % 6 == 4 && routed)
            require(routed->parent == 0 || tree.name_of(routed->parent).size() <= 1,
                    "a host, or none");
        if (const auto unready = UnreadyMessage::decode(body); kind % 6 == 5 && unready)
            record.node_unready(*unready);
        if (kind % 12 == 5) record.ending(std::chrono::seconds{5});
        if (kind % 12 == 11 && !record.placed()) record.place_ranks();
        check(record, record.placed());
        check(tree);
    }
    if (record.placed()) check_verdict(plan, record);
}

}  // namespace launch
