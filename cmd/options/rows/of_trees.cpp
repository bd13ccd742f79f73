// SPDX-License-Identifier: MIT
#include "cmd/options/bind.hpp"
#include "cmd/options/rows/rows.hpp"
#include "cmd/options/transport_names.hpp"
#include "topologies/registry.hpp"

namespace launch {
namespace {

ChoiceWords topology_words() {
    ChoiceWords words;
    for (const auto& each : known_topologies())
        words.push_back(
            {std::string(each.name), std::string(each.help), std::string(each.argument)});
    return words;
}

ChoiceWords routing_words() {
    ChoiceWords words = topology_words();
    words.push_back({"spawn", "the tree of the start, the default"});
    return words;
}

ChoiceWords transport_words() {
    ChoiceWords words;
    for (const auto& each : known_transports())
        words.push_back({std::string(each.name), std::string(each.help)});
    words.push_back({"command", "any program that runs a command on a host", "LINE"});
    return words;
}

std::string check_topology(std::string_view text) {
    const auto made = make_topology(text, 0, 1, nullptr);
    return made ? std::string() : made.error().cause + " (" + made.error().hint + ")";
}

/// "spawn" is the tree of the start.
std::string check_routing(std::string_view text) {
    return text == "spawn" ? std::string() : check_topology(text);
}

std::string check_transport_name(std::string_view text) {
    return objection_to_transport(text);
}

/// As ssh has it: no file.
ChoiceWords none_word() {
    return {{"none", "no file"}};
}

constexpr auto push_helps = std::to_array<std::string_view>(
    {"if it is missing or another build, the default", "to every host", "to no host"});

constexpr auto link_helps = std::to_array<std::string_view>(
    {"begin with ssh, switch to TCP if there is much traffic; the default", "only ssh",
     "TCP links at once"});

constexpr auto rows = std::to_array<OptionRow>({
    {.group = OptionGroup::tree,
     .scope = Scope::job,
     .names = "-k --degree",
     .key = "degree",
     .metavar = "K",
     .value = number<&Settings::degree>(),
     .help = "each node starts up to K others",
     .manual = "Each node of the tree starts up to K others: `--topology kary:K`. By default "
               "launch chooses the tree itself, by a simple cost model.",
     .if_unset = "chosen for the number of hosts",
     .example = "8",
     .family = "tree"},
    {.group = OptionGroup::tree,
     .scope = Scope::job,
     .names = "--topology",
     .key = "topology",
     .metavar = "NAME",
     .value = checked<check_topology, &Settings::topology>(Kind::choice, topology_words),
     .help = "auto (default), kary:K, flat, binomial, chain or hypercube",
     .manual = "The tree by which hosts are started: `auto`, the default, chosen by a cost model; "
               "`kary:K`; `flat`, in which the head starts all; `binomial`; `chain`; `hypercube`, "
               "the binomial tree with links along all edges of the cube. `--dry-run --explain` "
               "shows the choice of `auto` and its reasons.",
     .if_unset = "auto; kary where degree is set",
     .example = "kary:8",
     .family = "tree"},
    {.group = OptionGroup::tree,
     .scope = Scope::job,
     .names = "--routing",
     .key = "routing",
     .metavar = "NAME",
     .value = checked<check_routing, &Settings::routing>(Kind::choice, routing_words),
     .help = "tree of the running job, such as binomial; by default that of the start",
     .manual = "Another tree that the job uses, over direct links, once every host is up: "
               "`binomial`, `flat`, `kary:K`, `chain`, `hypercube` or `auto`, chosen by the cost "
               "model. By default, and with `spawn`, the job uses the tree of the start. If a link "
               "cannot be made, all nodes keep that tree, and a note says so.",
     .if_unset = "the tree of the start",
     .example = "binomial"},
    {.group = OptionGroup::tree,
     .scope = Scope::job,
     .names = "--transport",
     .key = "transport",
     .metavar = "NAME",
     .value = checked<check_transport_name, &Settings::transport, &TransportOptions::name>(
         Kind::choice, transport_words),
     .help = "how hosts are reached: ssh, openssh, local, rsh, srun, flux, pbsdsh, docker, podman, "
             "kubectl or command:LINE",
     .manual = "How hosts are reached: `ssh`, the default, logs in within launch itself; `openssh` "
               "runs the ssh program in PATH; `local` simulates the hosts on this machine, to try "
               "things out. Without this option a host that is this machine, as `localhost` or by "
               "its own name, is started without ssh. `docker`, `podman`, `kubectl`, `srun`, "
               "`flux`, `pbsdsh` and `rsh` run the program of that name, and `command:LINE` runs "
               "any other, with the host's name for `{host}`, or all names at once for `{hosts}`.",
     .if_unset = "ssh, except for this machine",
     .example = "openssh"},
    {.group = OptionGroup::tree,
     .scope = Scope::job,
     .names = "--ssh-config",
     .key = "ssh-config",
     .metavar = "FILE",
     .value = text<&Settings::transport, &TransportOptions::ssh_config>(Kind::path, none_word),
     .help = "use this ssh configuration instead of yours",
     .manual = "Reads this ssh configuration instead of yours; `none` reads no file. A host that "
               "starts others reads the file of the same name on that host or, if it does not "
               "exist, the configuration of its own user.",
     .if_unset = "your own and that of the system",
     .example = "ssh.conf"},
    {.group = OptionGroup::tree,
     .scope = Scope::job,
     .names = "--call-folder",
     .key = "call-folder",
     .metavar = "DIR",
     .value = text<&Settings::transport, &TransportOptions::call_folder>(Kind::path),
     .help = "a folder that all hosts see, for --transport pbsdsh",
     .manual =
         "Relays that `--transport pbsdsh` starts get no standard input. Therefore launch writes "
         "its address and a key for them to a file in this folder, which must be the same on all "
         "hosts. Only you may read the file, and launch removes it as soon as all hosts have "
         "connected. By default it is in your home folder, for hosts that share it.",
     .if_unset = "your home folder",
     .example = "/shared/me",
     .completes = Completes::folders},
    {.group = OptionGroup::tree,
     .scope = Scope::job,
     .names = "--accept-new-host-keys",
     .key = "accept-new-host-keys",
     .metavar = "",
     .value = flag<&Settings::transport, &TransportOptions::accept_unknown_keys>(),
     .help = "accept and record host keys that are in no known_hosts file",
     .manual = "Accepts the key of a host that is in no `known_hosts` file, and records it, as ssh "
               "does with `StrictHostKeyChecking accept-new`. By default such a host is refused. A "
               "key that has changed is always refused."},
    {.group = OptionGroup::tree,
     .scope = Scope::job,
     .names = "--forward-agent",
     .key = "forward-agent",
     .metavar = "",
     .value = flag<&Settings::transport, &TransportOptions::forward_agent>(),
     .help = "let the hosts use your ssh agent",
     .manual = "Lets the hosts use your ssh agent, so that hosts in the middle of the tree can log "
               "in to others with your keys. By default each host uses its own keys. Use this only "
               "with hosts that you trust."},
    {.group = OptionGroup::tree,
     .scope = Scope::job,
     .names = "--push",
     .key = "push",
     .metavar = "WHEN",
     .value = choice<push_choice_names, push_helps, &Settings::policies, &Policies::push>(),
     .help = "send launch to hosts: auto (if it is missing), always or never",
     .manual = "Whether launch sends itself to hosts: `auto`, the default, if it is missing there "
               "or another build; `always`; `never`. The copy is removed from the host's disk as "
               "soon as it runs. Use `never` for login shells that allow only listed commands."},
    {.group = OptionGroup::tree,
     .scope = Scope::job,
     .names = "--links",
     .key = "links",
     .metavar = "WHAT",
     .value = choice<link_choice_names, link_helps, &Settings::policies, &Policies::links,
                     &LinkPolicy::choice>(),
     .help = "links of relays: ssh, direct (own TCP links), or by default auto",
     .manual =
         "The links between relays: `auto`, the default, begins with ssh and switches to TCP links "
         "if there is much traffic; `ssh` always uses ssh; `direct` switches at once, and a host "
         "whose link fails counts as lost. Use `ssh` if firewalls block everything else."},
    {.group = OptionGroup::tree,
     .scope = Scope::job,
     .names = "--link-ports",
     .key = "link-ports",
     .metavar = "FIRST-LAST",
     .value = value_of<read_ports, write_ports, &Settings::policies, &Policies::links,
                       &LinkPolicy::ports>(Kind::text),
     .help = "TCP ports for direct links; by default any free one",
     .manual = "The TCP ports on which relays listen for direct links, such as `5000-5100`; by "
               "default any free port. Use it with a firewall that lets these ports through.",
     .if_unset = "any free port",
     .example = "5000-5100"},
});

}  // namespace

std::span<const OptionRow> rows_of_trees() {
    return rows;
}

}  // namespace launch
