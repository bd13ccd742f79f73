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
    {"where it is missing or another build, the default", "to every host", "to no host"});

constexpr auto link_helps = std::to_array<std::string_view>(
    {"begin over ssh, go over to TCP where much is said; the default", "all over ssh",
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
     .manual = "The tree by which hosts are started: `auto`, the default, which a cost model "
               "finds; `kary:K`; `flat`, where the head starts all; `binomial`; `chain`; "
               "`hypercube`, the binomial tree with links along all edges of the cube. "
               "`--dry-run --explain` shows what `auto` has chosen, and why.",
     .if_unset = "auto; kary where degree is set",
     .example = "kary:8",
     .family = "tree"},
    {.group = OptionGroup::tree,
     .scope = Scope::job,
     .names = "--routing",
     .key = "routing",
     .metavar = "NAME",
     .value = checked<check_routing, &Settings::routing>(Kind::choice, routing_words),
     .help = "once up all go over to such a tree, or hypercube; by default none do",
     .manual =
         "Another tree by which the job runs, over direct links, once every host is up: "
         "`binomial`, `flat`, `kary:K`, `chain`, `hypercube` or `auto`, which the cost model "
         "finds. "
         "By default, and with `spawn`, the job runs by the "
         "tree of the start. If a link cannot be had, all stay with that one, and a note says so.",
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
     .manual =
         "How hosts are reached: `ssh`, the default, logs in within launch itself; `openssh` runs "
         "the ssh program in PATH; `local` plays the hosts on this machine, to try things out. "
         "Where it is not given, a host that is this machine, by the name of `localhost` or its "
         "own, is started without ssh. `docker`, `podman`, `kubectl`, `srun`, `flux`, `pbsdsh` and "
         "`rsh` run the program of that name, and `command:LINE` any other, with `{host}`, or "
         "`{hosts}` for "
         "all at once, in its place.",
     .if_unset = "ssh, but for this machine",
     .example = "openssh"},
    {.group = OptionGroup::tree,
     .scope = Scope::job,
     .names = "--ssh-config",
     .key = "ssh-config",
     .metavar = "FILE",
     .value = text<&Settings::transport, &TransportOptions::ssh_config>(Kind::path, none_word),
     .help = "another ssh configuration than yours",
     .manual =
         "Reads this ssh configuration instead of yours; `none` reads no file. A host that starts "
         "others reads the file of that name there or, where there is none, that of its own user.",
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
         "What `--transport pbsdsh` starts gets no standard input. So launch tells its relays whom "
         "to call back in a file of this folder, which must be the same on all hosts. Only you may "
         "read the file, and it is gone as soon as all have called. By default it is in your home "
         "folder, for hosts that share it.",
     .if_unset = "your home folder",
     .example = "/shared/me",
     .completes = Completes::folders},
    {.group = OptionGroup::tree,
     .scope = Scope::job,
     .names = "--accept-new-host-keys",
     .key = "accept-new-host-keys",
     .metavar = "",
     .value = flag<&Settings::transport, &TransportOptions::accept_unknown_keys>(),
     .help = "accept and record the keys of hosts that are in no known_hosts file",
     .manual = "Accepts the key of a host that is in no `known_hosts` file, and records it, as ssh "
               "does with `StrictHostKeyChecking accept-new`. By default such a host is refused. A "
               "key that has changed is refused in any case."},
    {.group = OptionGroup::tree,
     .scope = Scope::job,
     .names = "--forward-agent",
     .key = "forward-agent",
     .metavar = "",
     .value = flag<&Settings::transport, &TransportOptions::forward_agent>(),
     .help = "let the hosts use your ssh agent",
     .manual = "Lets the hosts use your ssh agent, so that those in the middle of the tree can log "
               "in to others with your keys. By default each host uses what keys it has. Only for "
               "hosts that you trust."},
    {.group = OptionGroup::tree,
     .scope = Scope::job,
     .names = "--push",
     .key = "push",
     .metavar = "WHEN",
     .value = choice<push_choice_names, push_helps, &Settings::policies, &Policies::push>(),
     .help = "send launch to hosts: auto (where it is missing), always or never",
     .manual =
         "Whether launch sends itself to hosts: `auto`, the default, where it is missing or "
         "another build; `always`; `never`. What is sent is gone from the host's disk as soon as "
         "it runs. Use `never` for login shells that only let listed commands through."},
    {.group = OptionGroup::tree,
     .scope = Scope::job,
     .names = "--links",
     .key = "links",
     .metavar = "WHAT",
     .value = choice<link_choice_names, link_helps, &Settings::policies, &Policies::links,
                     &LinkPolicy::choice>(),
     .help = "relays talk over ssh, direct (own TCP links), or by default auto",
     .manual = "How relays talk with each other: `auto`, the default, begins over ssh and moves to "
               "TCP links of its own where much is said; `ssh` never leaves ssh; `direct` moves at "
               "once, and takes a host where that fails for lost. Use `ssh` where firewalls let "
               "nothing else through."},
    {.group = OptionGroup::tree,
     .scope = Scope::job,
     .names = "--link-ports",
     .key = "link-ports",
     .metavar = "FIRST-LAST",
     .value = value_of<read_ports, write_ports, &Settings::policies, &Policies::links,
                       &LinkPolicy::ports>(Kind::text),
     .help = "TCP ports for direct links; by default any free one",
     .manual = "The TCP ports on which relays wait for direct links, such as `5000-5100`; by "
               "default any that is free. Use it with a firewall that lets these through.",
     .if_unset = "any port that is free",
     .example = "5000-5100"},
});

}  // namespace

std::span<const OptionRow> rows_of_trees() {
    return rows;
}

}  // namespace launch
