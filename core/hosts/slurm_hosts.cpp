// SPDX-License-Identifier: MIT
#include "core/hosts/slurm_hosts.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

#include "core/base/counted.hpp"
#include "core/base/environment.hpp"
#include "core/base/list_text.hpp"
#include "core/base/number_text.hpp"
#include "core/hosts/host_text.hpp"
#include "core/hosts/hostlist.hpp"

namespace launch {
namespace {

/// More parts than Slurm lets a job have.
constexpr uint32_t most_parts = 4096;

/// The variables of a job, or of one part of a heterogeneous one.
class SlurmPart {
  public:
    SlurmPart(const std::vector<std::string>& env, std::string suffix)
        : env_(env), suffix_(std::move(suffix)) {}

    std::string name(const char* variable) const { return variable + suffix_; }
    std::string value(const char* variable) const { return env_value(env_, name(variable)); }

    /// A value that Slurm gives once, or for each part.
    std::string any_value(const char* variable) const {
        auto own = value(variable);
        return own.empty() ? env_value(env_, variable) : own;
    }

  private:
    const std::vector<std::string>& env_;
    std::string suffix_;
};

/// A step has set the variables that tell of tasks to its own. The step that salloc gives a shell
/// (LaunchParameters=use_interactive_step) leaves them as they are.
bool tasks_are_of_a_step(const SlurmPart& part) {
    const auto of_step = part.any_value("SLURM_STEP_NUM_TASKS");
    return !of_step.empty() && of_step == part.any_value("SLURM_NTASKS");
}

/// In what the slots of hosts are counted.
struct SlotCounts {
    std::string variable;          ///< empty: nothing says it
    std::vector<uint32_t> counts;  ///< of each host
};

Result<SlotCounts> counts_in(const SlurmPart& part, const char* variable) {
    SlotCounts made{part.name(variable), {}};
    const auto objection = read_slurm_counts(part.value(variable), made.counts);
    if (!objection.empty()) return scheduler_error(made.variable, objection);
    return made;
}

/// One number, of at least 1.
Result<uint32_t> number_in(const SlurmPart& part, const char* variable, const std::string& what) {
    const auto value = part.any_value(variable);
    const auto number = parse_number<uint32_t>(value);
    if (number && *number > 0) return *number;
    return scheduler_error(variable, quoted(value) + " is not a number of " + what);
}

/// CPUs, as many as a task takes for each slot.
Result<SlotCounts> counts_of_cpus(const SlurmPart& part) {
    auto made = counts_in(part, "SLURM_JOB_CPUS_PER_NODE");
    if (!made || part.any_value("SLURM_CPUS_PER_TASK").empty()) return made;
    const auto cpus = number_in(part, "SLURM_CPUS_PER_TASK", "CPUs");
    if (!cpus) return cpus.error();
    for (auto& count : made->counts)
        if (count > 0) count = std::max(1U, count / *cpus);
    made->variable += " by SLURM_CPUS_PER_TASK";
    return made;
}

Result<SlotCounts> uniform_counts(const SlurmPart& part, size_t hosts) {
    const auto each = number_in(part, "SLURM_NTASKS_PER_NODE", "tasks");
    if (!each) return each.error();
    return SlotCounts{"SLURM_NTASKS_PER_NODE", std::vector<uint32_t>(hosts, *each)};
}

Result<SlotCounts> slot_counts(const SlurmPart& part, size_t hosts) {
    const auto given = [&](const char* variable) { return !part.any_value(variable).empty(); };
    const bool of_step = tasks_are_of_a_step(part);
    const bool asked = given("SLURM_NTASKS") || given("SLURM_NPROCS");
    const bool asked_each = given("SLURM_NTASKS_PER_NODE");
    const bool has_tasks = !part.value("SLURM_TASKS_PER_NODE").empty();
    if ((asked || asked_each) && has_tasks && !of_step)
        return counts_in(part, "SLURM_TASKS_PER_NODE");
    if (asked_each && !of_step) return uniform_counts(part, hosts);
    if (!part.value("SLURM_JOB_CPUS_PER_NODE").empty()) return counts_of_cpus(part);
    if (has_tasks && !of_step) return counts_in(part, "SLURM_TASKS_PER_NODE");
    return SlotCounts{{}, std::vector<uint32_t>(hosts, 1)};
}

Result<SchedulerHosts> read_part(const SlurmPart& part, const std::string& variable,
                                 const std::string& list) {
    auto hosts = parse_hosts(list);
    if (!hosts) return scheduler_error(variable, hosts.error().cause);
    auto slots = slot_counts(part, hosts->size());
    if (!slots) return std::move(slots.error());
    if (slots->counts.size() != hosts->size())
        return scheduler_error(
            slots->variable, "counts are given for " + counted(slots->counts.size(), "host") +
                                 ", but " + variable + " names " + counted(hosts->size(), "host"));
    for (size_t i = 0; i < hosts->size(); ++i)
        (*hosts)[i].slots = slots->counts[i];
    std::erase_if(*hosts, [](const Host& host) { return host.slots == 0; });
    if (hosts->empty()) return scheduler_error(slots->variable, "no host has a slot");
    return SchedulerHosts{*std::move(hosts), slots->variable};
}

std::string described_slots(const std::string& variable, const std::string& slots) {
    return variable + (slots.empty() ? ", one slot a host" : ", slots by " + slots);
}

/// The hosts of a job whose parts have hosts, CPUs and tasks of their own.
Result<SchedulerHosts> read_parts(const SchedulerText& text, uint32_t parts) {
    SchedulerHosts all;
    for (uint32_t i = 0; i < parts; ++i) {
        const std::string suffix = "_HET_GROUP_" + std::to_string(i);
        const SlurmPart part(text.env, suffix);
        auto read =
            read_part(part, "SLURM_JOB_NODELIST" + suffix, part.value("SLURM_JOB_NODELIST"));
        if (!read) return read;
        if (i == 0) all.how = described_slots("SLURM_JOB_NODELIST" + suffix, read->how);
        std::move(read->hosts.begin(), read->hosts.end(), std::back_inserter(all.hosts));
    }
    all.how += ", likewise for all " + std::to_string(parts) + " components of the job";
    return all;
}

/// "4", or "4(x2)" with 4 for each of two hosts.
bool append_counts(std::string_view item, std::vector<uint32_t>& counts) {
    size_t times = 1;
    if (const auto open = item.find("(x"); open != item.npos) {
        if (!item.ends_with(')')) return false;
        const auto repeats = parse_number<uint32_t>(item.substr(open + 2, item.size() - open - 3));
        if (!repeats || *repeats == 0 || *repeats > max_hosts) return false;
        times = *repeats;
        item = item.substr(0, open);
    }
    const auto count = parse_number<uint32_t>(item);
    if (!count || counts.size() + times > max_hosts) return false;
    counts.insert(counts.end(), times, *count);
    return true;
}

}  // namespace

std::string read_slurm_counts(std::string_view text, std::vector<uint32_t>& counts) {
    for (const auto item : split(text, ','))
        if (!append_counts(item, counts))
            return quoted(item) + " is not a count such as 4 or 4(x2)";
    return counts.empty() ? "no count is given" : std::string();
}

Result<SchedulerHosts> read_slurm_hosts(const SchedulerText& text) {
    const auto parts = parse_number<uint32_t>(env_value(text.env, "SLURM_HET_SIZE")).value_or(1);
    const bool has_parts = !env_value(text.env, "SLURM_JOB_NODELIST_HET_GROUP_0").empty();
    if (has_parts && parts > 1 && parts <= most_parts) return read_parts(text, parts);
    auto read = read_part(SlurmPart(text.env, {}), text.variable, text.text);
    if (!read) return read;
    read->how = described_slots(text.variable, read->how);
    return read;
}

}  // namespace launch
