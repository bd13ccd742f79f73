// SPDX-License-Identifier: MIT
#include "core/hosts/allocation.hpp"

#include <algorithm>
#include <utility>

#include "core/base/environment.hpp"
#include "core/base/number_text.hpp"
#include "core/base/terminal_text.hpp"
#include "core/hosts/flux_hosts.hpp"
#include "core/hosts/hostlist.hpp"
#include "core/hosts/scheduler_hosts.hpp"
#include "core/hosts/slurm_hosts.hpp"

namespace launch {
namespace {

/// A variable in which a scheduler lists the hosts of its job. If several variables of one
/// scheduler are set, the first one counts.
struct SchedulerVariable {
    AllocationChoice choice;
    const char* name;
    bool names_file;
    Result<SchedulerHosts> (*read)(const SchedulerText& text);
};

constexpr auto variables = std::to_array<SchedulerVariable>({
    {AllocationChoice::slurm, "SLURM_JOB_NODELIST", false, read_slurm_hosts},
    {AllocationChoice::slurm, "SLURM_NODELIST", false, read_slurm_hosts},
    // salloc of a job of several parts sets this one alone.
    {AllocationChoice::slurm, "SLURM_JOB_NODELIST_HET_GROUP_0", false, read_slurm_hosts},
    {AllocationChoice::pbs, "PBS_NODEFILE", true, read_slot_lines},
    {AllocationChoice::lsf, "LSB_DJOB_HOSTFILE", true, read_slot_lines},
    {AllocationChoice::lsf, "LSB_MCPU_HOSTS", false, read_counted_words},
    {AllocationChoice::lsf, "LSB_HOSTS", false, read_slot_words},
    {AllocationChoice::grid_engine, "PE_HOSTFILE", true, read_counted_lines},
    {AllocationChoice::oar, "OAR_NODEFILE", true, read_slot_lines},
    {AllocationChoice::oar, "OAR_NODE_FILE", true, read_slot_lines},
    {AllocationChoice::oar, "OAR_FILE_NODES", true, read_slot_lines},
    {AllocationChoice::cobalt, "COBALT_NODEFILE", true, read_slot_lines},
});

/// As people call them, indexed by the choice.
constexpr auto scheduler_names = std::to_array<std::string_view>(
    {"", "", "Slurm", "PBS", "LSF", "Grid Engine", "OAR", "Cobalt", "Flux"});
static_assert(scheduler_names.size() == allocation_choice_names.size());

std::string scheduler_name(AllocationChoice choice) {
    return std::string(scheduler_names.at(static_cast<size_t>(choice)));
}

/// The answer of one scheduler: an error if it is invalid.
struct Said {
    AllocationChoice choice;
    Result<Allocation> allocation;
};

Result<Allocation> read_allocation(const SchedulerVariable& variable,
                                   const AllocationSigns& signs) {
    SchedulerText text{variable.name, env_value(signs.env, variable.name), {}, signs.env};
    if (variable.names_file) {
        text.path = std::exchange(text.text, {});
        auto file = signs.read_file(text.path);
        if (file.error != 0)
            return scheduler_error(
                variable.name, terminal_text(text.path) + ": " + os_error({}, file.error).cause);
        text.text = std::move(file.text);
    }
    auto read = variable.read(text);
    if (!read) return std::move(read.error());
    return Allocation{.choice = variable.choice,
                      .scheduler = scheduler_name(variable.choice),
                      .how = std::move(read->how),
                      .hosts = merge_hosts(std::move(read->hosts)),
                      .others = {}};
}

Result<Allocation> ask_flux(const std::vector<std::string>& question,
                            const AllocationSigns& signs) {
    const std::string command = question[0] + " " + question[1];
    auto answer = signs.ask(question);
    if (!answer)
        return Error{.kind = ErrorKind::usage,
                     .operation = {},
                     .host = {},
                     .cause = command + " " + answer.error().cause,
                     .hint = {}};
    auto read = read_flux_hosts({command, std::move(*answer), {}, signs.env});
    if (!read) return std::move(read.error());
    return Allocation{.choice = AllocationChoice::flux,
                      .scheduler = scheduler_name(AllocationChoice::flux),
                      .how = std::move(read->how),
                      .hosts = merge_hosts(std::move(read->hosts)),
                      .others = {}};
}

/// The answers of all schedulers that have one, or of the scheduler that is demanded.
std::vector<Said> all_said(AllocationChoice choice, const AllocationSigns& signs) {
    std::vector<Said> said;
    const bool wants_flux =
        choice == AllocationChoice::automatic || choice == AllocationChoice::flux;
    if (const auto question = flux_question(signs.env); wants_flux && !question.empty())
        said.push_back({AllocationChoice::flux, ask_flux(question, signs)});
    for (const auto& variable : variables) {
        const bool wanted = choice == AllocationChoice::automatic || choice == variable.choice;
        const bool known = !said.empty() && said.back().choice == variable.choice;
        if (!wanted || known || env_value(signs.env, variable.name).empty()) continue;
        said.push_back({variable.choice, read_allocation(variable, signs)});
    }
    return said;
}

/// The less, the more likely it is the innermost.
int distance(const Said& said, const AllocationSigns& signs) {
    if (!said.allocation) return 2;
    const auto& hosts = said.allocation->hosts;
    const bool here = std::any_of(hosts.begin(), hosts.end(),
                                  [&](const Host& host) { return signs.is_here(host.name); });
    return here ? 0 : 1;
}

/// The innermost of what was said, which is not empty.
Result<Allocation> innermost(std::vector<Said> said, const AllocationSigns& signs) {
    const auto chosen = std::min_element(
        said.begin(), said.end(),
        [&](const Said& a, const Said& b) { return distance(a, signs) < distance(b, signs); });
    if (!chosen->allocation) return std::move(chosen->allocation.error());
    auto allocation = *std::move(chosen->allocation);
    for (const auto& other : said)
        if (other.choice != chosen->choice) allocation.others.push_back(other.choice);
    return allocation;
}

Error not_there(AllocationChoice choice) {
    std::string names;
    for (const auto& variable : variables)
        if (variable.choice == choice)
            names += (names.empty() ? "" : ", ") + std::string(variable.name);
    if (choice == AllocationChoice::flux) names = "FLUX_URI";
    return {.kind = ErrorKind::usage,
            .operation = {},
            .host = {},
            .cause = "launch was not started in a job of " + scheduler_name(choice) +
                     ", which sets " + names,
            .hint = {}};
}

}  // namespace

Result<Allocation> find_allocation(AllocationChoice choice, const AllocationSigns& signs) {
    if (choice == AllocationChoice::none) return Allocation{};
    auto said = all_said(choice, signs);
    std::string flux_is_silent;
    if (choice == AllocationChoice::automatic && !said.empty() &&
        said.front().choice == AllocationChoice::flux && !said.front().allocation) {
        flux_is_silent = std::move(said.front().allocation.error().cause);
        said.erase(said.begin());
    }
    if (!said.empty()) return innermost(std::move(said), signs);
    if (choice != AllocationChoice::automatic) return not_there(choice);
    Allocation none;
    none.flux_is_silent = std::move(flux_is_silent);
    return none;
}

bool any_allocation(const std::vector<std::string>& env) {
    return !flux_question(env).empty() ||
           std::any_of(variables.begin(), variables.end(), [&](const SchedulerVariable& variable) {
               return !env_value(env, variable.name).empty();
           });
}

std::string one_of_several(const std::vector<std::string>& env) {
    if (!env_value(env, "LAUNCH_RANK").empty()) return "a rank of another launch";
    struct Launcher {
        const char* size;
        const char* what;
    };
    constexpr auto launchers = std::to_array<Launcher>({
        {"SLURM_STEP_NUM_TASKS", " tasks of srun"},
        {"FLUX_JOB_SIZE", " tasks of flux run"},
        {"OMPI_COMM_WORLD_SIZE", " ranks of mpirun"},
        {"PMI_SIZE", " ranks of another launcher"},
    });
    for (const auto& launcher : launchers) {
        const auto size = parse_number<uint32_t>(env_value(env, launcher.size));
        if (size && *size > 1) return "one of " + std::to_string(*size) + launcher.what;
    }
    return {};
}

}  // namespace launch
