// SPDX-License-Identifier: MIT
#include "cmd/request/job_request.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

#include "cmd/options/table.hpp"
#include "cmd/options/transport_names.hpp"
#include "cmd/options/usage_error.hpp"
#include "cmd/options/values.hpp"
#include "cmd/request/allocation.hpp"
#include "cmd/request/file_copies.hpp"
#include "cmd/request/job_env.hpp"
#include "cmd/request/output.hpp"
#include "cmd/request/read_hosts.hpp"
#include "core/base/environment.hpp"
#include "core/base/list_text.hpp"
#include "core/base/mistakes.hpp"
#include "core/hosts/host_text.hpp"
#include "core/hosts/hostlist.hpp"
#include "core/hosts/this_machine.hpp"
#include "core/job/log_words.hpp"

namespace launch {
namespace {

/// Where the file is not, each host would be reached in another way than was asked for. ("none":
/// no file, as ssh has it.)
Status complete_ssh_config(const std::string& name, const std::string& wdir, std::string& path) {
    if (path.empty() || path == "none") return Ok{};
    const auto refuse = [&](const std::string& why) {
        return usage_error(name + " " + shown(path) + ": " + why);
    };
    const std::string whole = absolute(path, wdir);
    struct stat info {};
    if (stat(whole.c_str(), &info) != 0 || access(whole.c_str(), R_OK) != 0)
        return refuse(os_error({}, errno).cause);
    if (S_ISDIR(info.st_mode)) return refuse("a folder, not a file");
    path = whole;
    return Ok{};
}

Status complete_transport(const Settings& line, const Surroundings& around,
                          TransportOptions& transport) {
    transport = line.transport;
    transport.verbose = line.policies.verbose;
    // Hosts open it from their own folders.
    if (!transport.call_folder.empty())
        transport.call_folder = absolute(transport.call_folder, around.wdir);
    return complete_ssh_config(spelled(line, "ssh-config"), around.wdir, transport.ssh_config);
}

/// Whether all of them are names of this machine, none with a user or a port, so that no login is
/// needed. False for an empty list.
bool all_are_here(const std::vector<Host>& hosts, const std::string& own_host) {
    const auto names = names_of_machine(own_host);
    return !hosts.empty() && std::all_of(hosts.begin(), hosts.end(), [&](const Host& host) {
        return is_this_machine(host, names);
    });
}

/// If no transport is given, this machine is reached without ssh.
std::string usual_transport(const std::vector<Host>& hosts, const Surroundings& around) {
    return hosts.empty() || all_are_here(hosts, around.host) ? "local" : "ssh";
}

Status complete_hosts(const Settings& line, const Surroundings& around, std::istream& input,
                      JobRequest& made) {
    JobSpec& spec = made.spec;
    auto given = read_hosts(line, around, input);
    if (!given) return std::move(given.error());
    spec.hosts = std::move(given->hosts);
    spec.choices = std::move(given->choices);
    spec.allocation = std::move(given->allocation);
    made.notes = std::move(given->notes);
    std::string& name = spec.transport.name;
    const bool is_usual = name.empty();
    if (is_usual) name = usual_transport(spec.hosts, around);
    if (is_usual && name == "ssh") spec.transport.own_names = names_of_machine(around.host);
    if (spec.hosts.empty() && line.origins.is_for_every_job("transport")) name = "local";
    if (spec.hosts.empty() && name != "local")
        return usage_error(spelled(line, "transport", name) +
                           " needs hosts: -hosts LIST or -f FILE");
    if (!reaches_from_anywhere(name) && spec.topology.empty() && spec.degree == 0)
        spec.topology = "flat";
    return check_hosts_of_transport(spelled(line, "transport"), name, spec.hosts);
}

/// Limits the spares, which may be set for every job, so that a host is left for ranks.
void complete_spares(const Settings& line, JobSpec& spec) {
    spec.spares = line.spares;
    if (spec.spares == 0 || !line.origins.is_for_every_job("spares")) return;
    const size_t hosts = merge_hosts(spec.hosts).size();
    spec.spares = static_cast<uint32_t>(std::min<size_t>(spec.spares, hosts > 0 ? hosts - 1 : 0));
}

/// Refuses an option that was given and needs hosts or a session, if the job has none.
std::optional<Error> unmet_need(const OptionRow& row, const Settings& line, bool has_hosts) {
    const bool in_session = !line.session.empty();
    if (row.needs == Needs::nothing || !line.origins.has(row.key)) return std::nullopt;
    if (in_session || (has_hosts && row.needs == Needs::hosts)) return std::nullopt;
    const Settings usual;
    const ProgramSettings program;
    const bool is_usual = texts_of(row, {line, program}) == texts_of(row, {usual, program});
    if (is_usual || line.origins.is_for_every_job(row.key)) return std::nullopt;
    if (row.needs == Needs::hosts)
        return usage_error(spelled(line, row.key) + " needs hosts: -hosts LIST or -f FILE");
    auto error = usage_error(spelled(line, row.key) + ": only in a session");
    error.hint = "`launch session start` starts one; --session NAME runs a job there";
    return error;
}

Mistakes unmet_needs(const Settings& line, bool has_hosts) {
    Mistakes mistakes;
    for (const auto* row : all_options())
        if (auto error = unmet_need(*row, line, has_hosts)) mistakes.add(*std::move(error));
    return mistakes;
}

/// A port that was taken for slots, as in host:2222: hosts have fewer slots than most ports.
std::string port_note(const std::vector<Host>& hosts) {
    constexpr uint32_t many_slots = 1024;
    constexpr uint32_t last_port = UINT16_MAX;
    const auto doubtful = [](const Host& host) {
        return host.port == 0 && host.slots > many_slots && host.slots <= last_port;
    };
    const auto first = std::find_if(hosts.begin(), hosts.end(), doubtful);
    if (first == hosts.end()) return {};
    Host meant = *first;
    meant.port = static_cast<uint16_t>(std::exchange(meant.slots, 1));
    return meant.name + " has " + std::to_string(first->slots) +
           " slots; if that is its port, write " + to_string(meant);
}

/// Two readers of one standard input would tear it apart.
Status complete_stdin(const Settings& line, JobSpec& spec) {
    StdinTarget& target = spec.policies.stdin_target;
    target = line.stdin_target.value_or(StdinTarget{});
    if (!hosts_come_from_input(line)) return Ok{};
    if (rank_wants_input(line))
        return usage_error("the hosts are read from standard input, so no rank can read it");
    target = {StdinTarget::Kind::none, 0};
    return Ok{};
}

/// Another tree than that of the start has links of its own.
Status check_routing(const Settings& line) {
    const bool is_that_of_the_start = line.routing.empty() || line.routing == "spawn";
    if (is_that_of_the_start || line.policies.links.choice != LinkChoice::spawn) return Ok{};
    return usage_error(spelled(line, "routing", line.routing) + " needs direct links: not with " +
                       spelled(line, "links", "ssh"));
}

/// --timeout, or what MPICH's mpiexec goes by where no option says so.
Status complete_timeout(const Settings& line, const Surroundings& around, JobSpec& spec) {
    spec.timeout = line.timeout;
    if (const auto* given = line.origins.find("timeout")) {
        spec.timeout_name = named(*given);
        return Ok{};
    }
    const std::string name = "MPIEXEC_TIMEOUT";
    const std::string value = env_value(around.env, name);
    if (value.empty() || value == "-1") return Ok{};  // MPICH's word for none
    const auto objection = read_duration(value, spec.timeout);
    if (!objection.empty()) return usage_error(name + "=" + shown(value) + ": " + objection);
    spec.timeout_name = name;
    return Ok{};
}

/// Told here, as hosts could only be silent about it.
Status check_log(const Surroundings& around) {
    const std::string asked = env_value(around.env, "LAUNCH_LOG");
    for (const auto word : split_log(asked)) {
        if (std::find(log_words.begin(), log_words.end(), word) != log_words.end()) continue;
        auto error = usage_error("LAUNCH_LOG: unknown word " + shown(word) +
                                 did_you_mean(nearest(word, log_words)));
        error.hint = "known: " + joined(log_words, ", ");
        return error;
    }
    return Ok{};
}

/// The option that waits until the state of every host is known.
std::string waits_for_all(const Settings& line, const JobSpec& spec) {
    if (spec.allow_missing) return spelled(line, "allow-missing");
    if (spec.spares > 0) return spelled(line, "spares");
    if (!spec.routing.empty()) return spelled(line, "routing", spec.routing);
    return spec.policies.survives_host_loss() ? spelled(line, "on-host-loss", "continue") : "";
}

Status check_early_start(const Settings& line, const JobSpec& spec) {
    const std::string other = spec.policies.start_early ? waits_for_all(line, spec) : "";
    if (other.empty()) return Ok{};
    return usage_error(spelled(line, "start-early") + ": not with " + other +
                       ", where ranks start when it is known of every host whether it is up");
}

/// The port is one that is free on the first host: the others wait to hear of it.
Status check_rendezvous(const Settings& line, const JobSpec& spec) {
    const bool asked = spec.policies.rendezvous != RendezvousChoice::none;
    if (!asked || !spec.policies.start_early || spec.hosts.size() <= 1) return Ok{};
    return usage_error(spelled(line, "start-early") + ": not with " + spelled(line, "rendezvous") +
                       ", because ranks get a port of the first host before they start");
}

Status check_view(const Settings& line) {
    const auto& view = line.view;
    const bool gathers = line.output.gather || line.output.diff;
    if (gathers && view.format == Format::json && !view.explain && !view.full) return Ok{};
    if (line.dry_run || !(view.explain || view.full || view.format != Format::text)) return Ok{};
    const std::string format = write_format(view.format);
    const std::string name = view.explain ? spelled(line, "explain")
                             : view.full  ? spelled(line, "full")
                                          : spelled(line, "format", format);
    return usage_error(name + " goes with --dry-run");
}

/// Options that exclude one another, whatever the surroundings are.
Mistakes contradictions_in(const Settings& line) {
    Mistakes mistakes;
    mistakes.check(check_inherit(line));
    mistakes.check(check_routing(line));
    return mistakes;
}

}  // namespace

Status check_settings(const Settings& line) {
    Mistakes mistakes;
    mistakes.check(check_host_lists(line));
    mistakes.add(contradictions_in(line));
    return mistakes.take_status();
}

Result<JobRequest> make_request(const Settings& line, const Surroundings& around,
                                std::istream& input) {
    JobRequest made;
    JobSpec& spec = made.spec;
    spec.policies = line.policies;
    spec.policies.stats = line.stats.has_value();
    spec.policies.starts = spec.policies.costs = !line.report.empty();
    spec.job_id = around.job_id;
    spec.limits = around.limits;
    std::erase_if(spec.limits.soft, [&](const SoftLimit& limit) {
        return !line.propagated[static_cast<size_t>(limit.resource)];
    });
    spec.local_slots = around.cpus;
    spec.mapping = line.mapping.hosts;
    spec.keeps_to_slots = line.mapping.keeps_to_slots;
    spec.ppn = line.ppn > 0 ? line.ppn : line.mapping.ppn;
    spec.policies.place.map = line.mapping.part;
    if (line.rank_by != MachinePart::machine) spec.policies.place.rank_by = line.rank_by;
    spec.allow_missing = line.allow_missing;
    spec.topology = line.topology;
    spec.degree = line.degree;
    if (line.routing != "spawn") spec.routing = line.routing;
    spec.hang = line.hang;
    spec.stacks = line.stacks;
    auto& core_dir = spec.policies.core_dir;
    if (!core_dir.empty()) core_dir = absolute(core_dir, around.wdir);
    spec.start_limit = line.start_limit;
    spec.launch_path = around.launch_path;
    spec.wdir = around.wdir;

    // All mistakes are reported at once, except those that need hosts if the hosts are wrong
    // already.
    Mistakes mistakes;
    mistakes.check(check_view(line));
    mistakes.check(check_log(around));
    mistakes.check(complete_transport(line, around, spec.transport));
    mistakes.check(complete_timeout(line, around, spec));
    if (mistakes.check(complete_hosts(line, around, input, made))) {
        complete_spares(line, spec);
        mistakes.add(unmet_needs(line, !spec.hosts.empty()));
    }
    mistakes.check(complete_stdin(line, spec));
    mistakes.check(complete_output(line, around, spec));
    mistakes.check(complete_programs(line, around, made));
    mistakes.add(contradictions_in(line));
    mistakes.check(check_early_start(line, spec));
    mistakes.check(check_rendezvous(line, spec));
    mistakes.check(complete_stage(line, around, spec));
    auto fetches = fetch_specs(line, around.wdir);
    if (mistakes.check(fetches)) made.fetches = *std::move(fetches);
    if (!mistakes.empty()) return mistakes.take();
    complete_env(line, around, spec);
    if (spec.transport.name != "local") made.notes.push_back(port_note(spec.hosts));
    for (auto& note : program_notes(line, around, spec.programs))
        made.notes.push_back(std::move(note));
    const auto modex = static_cast<size_t>(spec.policies.modex);
    if (spec.policies.links.choice == LinkChoice::spawn && names_peers(spec.policies.modex))
        made.notes.push_back(spelled(line, "modex", modex_choice_names[modex]) +
                             " needs direct links: with " + spelled(line, "links") +
                             " ssh all goes along the tree");
    std::erase(made.notes, "");
    return made;
}

}  // namespace launch
