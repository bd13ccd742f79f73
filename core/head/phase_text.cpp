// SPDX-License-Identifier: MIT
#include "core/head/phase_text.hpp"

#include "core/base/counted.hpp"
#include "core/base/seconds.hpp"
#include "core/hosts/hostlist.hpp"

namespace launch {
namespace {

std::string seconds_between(Clock::time_point from, Clock::time_point to) {
    return in_seconds(std::chrono::duration_cast<milliseconds>(to - from));
}

/// Without slots, which the number of ranks tells better.
std::string names_of(const Plan& plan) {
    std::vector<Host> names;
    names.reserve(plan.hosts.size());
    for (const Host& host : plan.hosts)
        names.push_back({host.user, host.name, host.port, 1});
    return fold_hosts(names);
}

std::string hosts_line(const Plan& plan) {
    std::string line = "hosts: " + counted(plan.hosts.size(), "host") + " for " +
                       counted(plan.placement.ranks(), "rank") + ": " + names_of(plan);
    if (plan.spares > 0) line += ", the last " + std::to_string(plan.spares) + " as spares";
    return line;
}

std::string tree_line(const Plan& plan) {
    if (plan.session)
        return "tree: that of session " + plan.session->name + ", " + plan.session->tree;
    std::vector<NodeIndex> children;
    plan.topology->children(0, plan.nodes(), children);
    std::string line = "tree: " + plan.topology->name() + " by " + plan.spec.transport.name +
                       ": this machine starts " + counted(children.size(), "host");
    if (children.size() < plan.hosts.size()) line += ", other hosts start the rest";
    if (plan.routing) line += "; after the start, the tree is " + plan.routing->name();
    return line;
}

}  // namespace

std::vector<std::string> plan_lines(const Plan& plan) {
    if (plan.local) return {"hosts: this machine, for " + counted(plan.placement.ranks(), "rank")};
    return {hosts_line(plan), tree_line(plan)};
}

std::string up_line(const JobRecord& record, milliseconds took) {
    const auto up = record.hosts_up();
    const auto all = record.hosts();
    return "up: " + (up == all ? "all" : std::to_string(up) + " of") + " " + counted(all, "host") +
           " after " + in_seconds(took);
}

std::string placed_line(const Plan& plan) {
    return "ranks: " + counted(plan.placement.ranks(), "rank") + " placed on " +
           counted(plan.placement.used().size(), "host");
}

std::string end_line(const Plan& plan, const JobRecord& record, const PhaseTimes& times,
                     Clock::time_point now) {
    const auto failed = record.failed_ranks().size();
    const auto ran = times.run_began();
    return "end: " + (failed == 0 ? "none" : std::to_string(failed)) + " of " +
           counted(plan.placement.ranks(), "rank") + " failed; start " +
           seconds_between(times.began, ran) + ", run " + seconds_between(ran, times.ending) +
           ", end " + seconds_between(times.ending, now);
}

}  // namespace launch
