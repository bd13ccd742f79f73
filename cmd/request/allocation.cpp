// SPDX-License-Identifier: MIT
#include "cmd/request/allocation.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <string_view>
#include <utility>

#include "cmd/options/table.hpp"
#include "core/base/file_text.hpp"
#include "core/hosts/allocation.hpp"
#include "core/hosts/hostlist.hpp"
#include "core/process/command_output.hpp"
#include "transports/start_error.hpp"

namespace launch {
namespace {

constexpr std::chrono::seconds patience_with_a_program{5};

std::string word_of(AllocationChoice choice) {
    return std::string(allocation_choice_names.at(static_cast<size_t>(choice)));
}

/// One name may be the other with its domain.
bool same_machine(std::string_view a, std::string_view b) {
    return a == b || a.substr(0, a.find('.')) == b || a == b.substr(0, b.find('.'));
}

Result<Allocation> look_for(AllocationChoice choice, const Surroundings& around) {
    constexpr size_t longest = 256U << 20;  // a line for each core of the largest machines
    return find_allocation(
        choice,
        {.env = around.env,
         .read_file = [](const std::string& path) { return read_file(path, longest); },
         .is_here = [&](const std::string& host) { return same_machine(host, around.host); },
         .ask =
             [&](const std::vector<std::string>& argv) {
                 return command_output(argv, around.env, patience_with_a_program);
             }});
}

/// "Slurm, by SLURM_JOB_NODELIST, slots by SLURM_TASKS_PER_NODE".
std::string described(const Allocation& allocation) {
    std::string text = allocation.scheduler + ", by " + allocation.how;
    for (const auto other : allocation.others)
        text += "; there is another one, --allocation " + word_of(other);
    return text;
}

/// The mistake with what the user can do about it.
Error refused(const Settings& line, Error error) {
    const bool demanded = line.allocation != AllocationChoice::automatic;
    const std::string option = spelled(line, "allocation");
    if (demanded) error.cause = option + " " + word_of(line.allocation) + ": " + error.cause;
    error.hint = demanded
                     ? "see launch help hosts"
                     : "name hosts by -hosts or -f, or run on this machine: " + option + " none";
    return error;
}

/// Why none is looked for, where one may be there; empty: it is.
std::string why_none(const Settings& line, const Surroundings& around) {
    if (line.allocation == AllocationChoice::none) return spelled(line, "allocation") + " none";
    if (line.allocation != AllocationChoice::automatic) return {};
    if (line.transport.name == "local") return spelled(line, "transport") + " local";
    const auto one = one_of_several(around.env);
    return one.empty() ? one : "this is " + one;
}

std::string flux_note(const std::string& why_silent) {
    if (why_silent.empty()) return {};
    return "all ranks run on this machine: this is a job of Flux, and " + why_silent +
           R"_(; for its hosts type -hosts "$(flux getattr hostlist)")_";
}

/// Each of a step's tasks is a launch of its own, which is seldom meant.
std::string step_note(const Settings& line, const std::string& why) {
    const bool by_flux = why.ends_with("tasks of flux run");
    if (!by_flux && !why.ends_with("tasks of srun")) return {};
    return "all ranks run on this machine: " + why +
           ", which each start launch; for the hosts of the job " + spelled(line, "allocation") +
           (by_flux ? " flux" : " slurm");
}

std::string taken_note(const Settings& line, const Allocation& allocation) {
    if (!line.policies.verbose) return {};
    return "hosts of the allocation of " + described(allocation) + ": " +
           fold_hosts(allocation.hosts);
}

/// Names this machine as the user would. A scheduler may give it a domain that it does not give
/// itself. In a list of the user, that name may mean another machine; here it means this one, and
/// no login is needed.
void name_this_machine(const Surroundings& around, std::vector<Host>& hosts) {
    if (hosts.size() == 1 && same_machine(hosts[0].name, around.host)) hosts[0].name = around.host;
}

AllocatedHosts no_hosts(const Settings& line, const Surroundings& around, const std::string& why) {
    const bool is_asked_for = line.allocation == AllocationChoice::none;
    if (!is_asked_for && !any_allocation(around.env)) return {};
    return {.hosts = {}, .text = "none: " + why, .note = step_note(line, why)};
}

struct OwnStarter {
    std::string_view scheduler;  ///< as the description of its allocation begins
    std::string_view transport;
};

constexpr auto starters =
    std::to_array<OwnStarter>({{"Slurm", "srun"}, {"PBS", "pbsdsh"}, {"Flux", "flux"}});

/// It ended before anything of launch ran there.
bool is_of_login(const Error& error) {
    constexpr auto stages = std::to_array<std::string_view>(
        {start_error::resolve, start_error::connect, start_error::key_exchange, start_error::verify,
         start_error::authenticate, start_error::channel});
    return error.kind == ErrorKind::unreachable &&
           std::find(stages.begin(), stages.end(), error.operation) != stages.end();
}

}  // namespace

Result<AllocatedHosts> allocated_hosts(const Settings& line, const Surroundings& around,
                                       bool named) {
    if (named) {
        const bool unused = line.view.explain && any_allocation(around.env);
        return AllocatedHosts{
            .hosts = {}, .text = unused ? "none: hosts are named" : "", .note = {}};
    }
    const std::string why = why_none(line, around);
    if (!why.empty()) return no_hosts(line, around, why);
    auto found = look_for(line.allocation, around);
    if (!found) return refused(line, std::move(found.error()));
    if (!found->is_there())
        return AllocatedHosts{.hosts = {}, .text = {}, .note = flux_note(found->flux_is_silent)};
    std::string text = described(*found);
    std::string note = taken_note(line, *found);
    name_this_machine(around, found->hosts);
    return AllocatedHosts{std::move(found->hosts), std::move(text), std::move(note)};
}

std::string other_way(const Reach& reach, const Error& error) {
    const bool by_ssh = reach.transport == "ssh" || reach.transport == "openssh";
    if (!by_ssh || !is_of_login(error)) return {};
    for (const auto& [scheduler, starter] : starters)
        if (reach.allocation.starts_with(std::string(scheduler) + ","))
            return "a job of " + std::string(scheduler) +
                   " also starts its hosts without ssh: --transport " + std::string(starter) +
                   " (see launch help ssh)";
    return {};
}

}  // namespace launch
