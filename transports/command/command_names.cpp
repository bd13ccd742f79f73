// SPDX-License-Identifier: MIT
#include "transports/command/command_names.hpp"

#include <algorithm>
#include <array>

#include "transports/command/command_template.hpp"

namespace launch {
namespace {

constexpr std::string_view prefix = "command:";

// The manuals describe each command line: docker-exec(1), podman-exec(1), `kubectl exec --help`,
// rsh(1), flux-exec(1), flux-overlay(1), pbsdsh(1B). Standard input is only passed on with -i.
constexpr auto known = std::to_array<NamedCommand>({
    {"docker", "docker exec: hosts are containers that run here",
     "docker exec -i [ -u {user} ] {host} {argv}", true},
    {"podman", "podman exec: hosts are containers that run here",
     "podman exec -i [ -u {user} ] {host} {argv}", true},
    {"kubectl", "kubectl exec: hosts are pods", "kubectl exec -i {host} -- {argv}", true},
    // A step beside others of the job, a relay on each host with all of it, that is not bound.
    {"srun", "srun in a job of Slurm, which starts all hosts at once",
     "srun --quiet --nodes={count} --ntasks={count} --ntasks-per-node=1 --nodelist={hosts} "
     "--overlap --mem=0 --mpi=none --cpu-bind=none --kill-on-bad-exit=0 --input=all {argv}",
     true},
    // It takes brokers by their numbers, and would go to this folder, which is for ranks alone.
    {"flux", "flux exec in a job of Flux, which starts all hosts at once",
     "sh -c 'ranks=$(flux overlay lookup \"$0\") && "
     "exec flux exec --dir=/ --rank=\"$ranks\" \"$@\"' {hosts} {argv}",
     true},
    {"pbsdsh", "pbsdsh in a job of PBS or Torque, which starts all hosts at once",
     "pbsdsh -- {argv}", true},
    {"rsh", "the rsh program", "rsh [ -l {user} ] {host} {command}", false},
});

}  // namespace

std::span<const NamedCommand> named_commands() {
    return known;
}

std::optional<NamedCommand> find_command(std::string_view transport) {
    if (transport.starts_with(prefix)) {
        const std::string_view line = transport.substr(prefix.size());
        const auto read = CommandTemplate::parse(line);
        const auto same = [&](const NamedCommand& named) {
            return read && named.name == read->program() && named.from_head_only;
        };
        const bool all = read && read->starts_all();
        return NamedCommand{
            transport, {}, line, all || std::any_of(known.begin(), known.end(), same)};
    }
    const auto named = std::find_if(known.begin(), known.end(), [&](const NamedCommand& each) {
        return each.name == transport;
    });
    if (named == known.end()) return std::nullopt;
    return *named;
}

}  // namespace launch
