// SPDX-License-Identifier: MIT
#include "cmd/doctor/examine.hpp"

#include <algorithm>
#include <chrono>
#include <map>
#include <unistd.h>

#include "cmd/console.hpp"
#include "cmd/doctor/look_at_host.hpp"
#include "cmd/request/surroundings.hpp"
#include "cmd/wiring.hpp"
#include "core/base/environment.hpp"
#include "core/base/unix_time.hpp"
#include "core/head/head.hpp"
#include "core/hosts/hostlist.hpp"
#include "core/job/plan.hpp"
#include "core/process/guard.hpp"
#include "core/push/image.hpp"

namespace launch {
namespace {

/// More names than that tell no more, and each costs every host a question.
constexpr size_t most_names = 32;
/// All that a check waits for, and its way back.
constexpr milliseconds check_limit{60'000};

/// Records the messages about hosts that the head gets while the job runs.
class Listener : public HeadWatch {
  public:
    explicit Listener(std::vector<ExaminedHost>& hosts) : hosts_(hosts) {}

    void host_failed(const FailureMessage& failure) override {
        if (auto* host = at(failure.node)) host->failure = failure.error;
        for (const NodeRange& range : failure.below)
            for (NodeIndex i = 0; i < range.count; ++i)
                if (auto* host = at(range.first + i); host != nullptr && !host->failure)
                    host->failure = failure.error;
    }
    void noticed(const NoticeMessage& notice) override {
        if (auto* host = at(notice.node)) host->notices.push_back(notice);
    }
    void transport_noted(const std::string& name, const std::string& text) override {
        const auto host = std::find_if(hosts_.begin(), hosts_.end(),
                                       [&](const auto& each) { return each.name == name; });
        if (host != hosts_.end()) host->notices.push_back({0, true, text});
    }
    void rank_ended(uint32_t rank) override { ended_us_.emplace(rank, unix_us_now()); }

    /// 0: it has not ended.
    uint64_t ended_us(uint32_t rank) const {
        const auto found = ended_us_.find(rank);
        return found == ended_us_.end() ? 0 : found->second;
    }

  private:
    ExaminedHost* at(NodeIndex node) {
        return node > 0 && node <= hosts_.size() ? &hosts_[node - 1] : nullptr;
    }

    std::vector<ExaminedHost>& hosts_;
    std::map<uint32_t, uint64_t> ended_us_;
};

std::vector<std::string> host_names_of(const std::vector<Host>& hosts) {
    std::vector<std::string> names;
    for (const auto& host : hosts)
        if (names.size() < most_names) names.push_back(host.name);
    return names;
}

/// Makes the job that checks: a process on each host; hosts may be missing, and errors are returned
/// as values instead of being printed.
void make_check_job(JobSpec& spec, const std::string& wdir) {
    Policies& policies = spec.policies;
    const bool has_links = policies.links.choice != LinkChoice::spawn && !spec.hosts.empty();
    Program program;
    program.argv = check_command(host_names_of(merge_hosts(spec.hosts)), wdir, has_links);
    program.ranks = spec.hosts.empty() ? 1 : 0;
    spec.programs = {std::move(program)};
    spec.choices.clear();
    spec.mapping = Mapping::block;
    spec.ppn = spec.hosts.empty() ? 0 : 1;
    spec.allow_missing = true;
    spec.spares = 0;
    spec.stage = {};
    spec.limits.soft.clear();
    spec.wdir = "/";
    policies.links.many_jobs = true;  // direct links come up at once
    policies.keep_going = true;
    policies.pmi = PmiChoice::none;
    policies.place = {};
    policies.start_early = false;
    policies.stdin_target = {StdinTarget::Kind::none, 0};
    policies.output = {};
    policies.output.gather = GatherChoice::blocks;
    policies.host_loss = HostLoss::go_on;
    policies.starts = policies.costs = true;
}

std::string words_of(const std::vector<GatheredGroup>& groups, uint32_t rank) {
    for (const auto& group : groups)
        if (std::find(group.ranks.begin(), group.ranks.end(), RankOfSpace{0, rank}) !=
            group.ranks.end())
            return group.text;
    return {};
}

/// Stores the facts that a rank wrote, or the reason why it wrote none, in its host.
void take_check(uint32_t rank, const JobTimeline& line, const GatheredOutput& output,
                const Listener& listener, ExaminedHost& host) {
    const auto& end = line.ranks[rank];
    host.facts = read_facts(words_of(output.out, rank));
    if (!host.facts) {
        const auto said = words_of(output.err, rank);
        host.why_no_facts = !said.empty()                     ? said
                            : end.detail.empty() && end.ended ? to_string(*end.ended)
                                                              : end.detail;
        return;
    }
    if (!end.cost) return;
    host.earliest_us = line.began_unix_us + end.cost->start_us + host.facts->took_us;
    host.latest_us = listener.ended_us(rank);
}

/// Notes which stage of the host's start took longest before the relay ran. A stage lasts until the
/// next stage that was reported.
void take_longest_stage(const JobTimeline::Host& times, ExaminedHost& host) {
    constexpr auto relay_runs = static_cast<size_t>(StartStage::greeted);
    uint64_t end = times.began[relay_runs].value_or(0);
    for (size_t stage = relay_runs; stage-- > static_cast<size_t>(StartStage::dial);) {
        if (!times.began[stage]) continue;
        const uint64_t began = *times.began[stage];
        if (end > began && end - began > host.longest_us) {
            host.longest = static_cast<StartStage>(stage);
            host.longest_us = end - began;
        }
        end = began;
    }
}

void take_timeline(const JobOutcome& outcome, const Listener& listener,
                   std::vector<ExaminedHost>& hosts) {
    const JobTimeline& line = *outcome.timeline;
    for (size_t i = 0; i < hosts.size() && i < line.hosts.size(); ++i) {
        hosts[i].is_up = line.hosts[i].up_us.has_value();
        take_longest_stage(line.hosts[i], hosts[i]);
        const NodeIndex by = line.hosts[i].started_by.value_or(0);
        if (hosts[i].failure && !hosts[i].failure->from.empty())
            hosts[i].started_by = hosts[i].failure->from;
        else if (by > 0 && by <= hosts.size())
            hosts[i].started_by = hosts[by - 1].name;
    }
    for (uint32_t rank = 0; rank < line.ranks.size() && outcome.gathered; ++rank) {
        const NodeIndex node = line.ranks[rank].node;
        if (node > 0 && node <= hosts.size())
            take_check(rank, line, *outcome.gathered, listener, hosts[node - 1]);
    }
}

/// Runs the job that checks, and tells of its hosts.
Result<Examination> run_round(JobSpec spec, const Guard& guard) {
    auto plan = make_plan(std::move(spec), topology_factory());
    if (!plan) return std::move(plan.error());
    Examination round;
    round.is_local = plan->local;
    for (const auto& host : plan->hosts)
        round.hosts.push_back({.name = host.name});
    const auto& policies = plan->spec.policies;
    plan->spec.timeout =
        std::max(plan->start_limit, policies.connect_timeout + policies.start_timeout) +
        check_limit;
    Listener listener(round.hosts);
    HeadOptions options;
    options.progress = isatty(STDERR_FILENO) == 1;
    options.log = log_wanted();
    options.watch = &listener;
    const JobOutcome outcome = run_job(*std::move(plan), factories(), options, guard);
    round.signal = outcome.signal;
    if (outcome.timeline) take_timeline(outcome, listener, round.hosts);
    const bool hosts_tell =
        std::any_of(round.hosts.begin(), round.hosts.end(),
                    [](const auto& host) { return host.failure || host.facts; });
    if (outcome.error && !hosts_tell) return *outcome.error;
    return round;
}

/// Tries the hosts that another host could not start. Returns the signal that ended this, or 0.
Result<int> try_from_here(JobSpec spec, std::vector<ExaminedHost>& hosts, const Guard& guard) {
    spec.hosts = merge_hosts(spec.hosts);
    std::erase_if(spec.hosts, [&](const Host& wanted) {
        return std::none_of(hosts.begin(), hosts.end(), [&](const ExaminedHost& each) {
            return each.name == wanted.name && each.failure && !each.is_up &&
                   !each.started_by.empty();
        });
    });
    if (spec.hosts.empty()) return 0;
    spec.topology = "flat";
    spec.degree = 0;
    spec.routing.clear();
    spec.job_id += "-2";
    auto again = run_round(std::move(spec), guard);
    if (!again) return std::move(again.error());
    for (auto& tried : again->hosts) {
        const auto host = std::find_if(hosts.begin(), hosts.end(), [&](const auto& each) {
            return each.name == tried.name && each.failure;
        });
        if (host == hosts.end()) continue;
        if (!tried.is_up) {
            // This machine cannot start the host either, so the hint for its parent would not help.
            if (tried.failure) host->failure->hint = tried.failure->hint;
            continue;
        }
        host->starts_from_here = true;
        host->facts = std::move(tried.facts);
        host->earliest_us = tried.earliest_us;
        host->latest_us = tried.latest_us;
    }
    return again->signal;
}

}  // namespace

Result<Examination> examine_hosts(JobSpec spec, const std::string& wdir) {
    const auto image = Image::open();
    if (!image) return image.error();
    const LinkChoice links = spec.policies.links.choice;
    HostFacts here =
        look_at_host({host_names_of(merge_hosts(spec.hosts)), wdir, own_environment()});
    make_check_job(spec, wdir);
    leave_enclosing_job();
    const auto guard = Guard::split_process(Guard::Role::head);
    auto seen = run_round(spec, guard);
    if (!seen) return seen;
    seen->here = std::move(here);
    seen->links = links;
    seen->wdir = wdir;
    seen->executable_bytes = image->size();
    seen->reaches_by_name = spec.transport.name == "ssh" || spec.transport.name == "openssh";
    if (seen->signal != 0) return seen;
    const auto signal = try_from_here(std::move(spec), seen->hosts, guard);
    if (!signal) return signal.error();
    seen->signal = *signal;
    return seen;
}

}  // namespace launch
