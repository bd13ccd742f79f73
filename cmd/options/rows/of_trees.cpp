#include "cmd/options/bind.hpp"
#include "cmd/options/rows/rows.hpp"
#include "cmd/options/transport_names.hpp"
#include "topologies/registry.hpp"

namespace launch {
namespace {

Texts topology_words() {
    Texts words;
    for (const auto& topology : known_topologies())
        words.emplace_back(topology.name);
    return words;
}

Texts routing_words() {
    Texts words = topology_words();
    words.emplace_back("spawn");
    return words;
}

Texts transport_words() {
    return {known_transports().begin(), known_transports().end()};
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
    size_t ignored = 0;
    return find_choice(text, known_transports(), ignored);
}

/// As ssh has it: no file.
Texts none_word() {
    return {"none"};
}

constexpr auto rows = std::to_array<OptionRow>({
    {.group = OptionGroup::tree,
     .scope = Scope::job,
     .names = "-k --degree",
     .key = "degree",
     .metavar = "K",
     .value = number<&Settings::degree>(),
     .help = "each node starts up to K others",
     .family = "tree"},
    {.group = OptionGroup::tree,
     .scope = Scope::job,
     .names = "--topology",
     .key = "topology",
     .metavar = "NAME",
     .value = checked<check_topology, &Settings::topology>(Kind::choice, topology_words),
     .help = "auto, kary:K, flat, binomial or chain; by default auto",
     .family = "tree"},
    {.group = OptionGroup::tree,
     .scope = Scope::job,
     .names = "--routing",
     .key = "routing",
     .metavar = "NAME",
     .value = checked<check_routing, &Settings::routing>(Kind::choice, routing_words),
     .help = "once up all go over to such a tree, or hypercube; by default none do"},
    {.group = OptionGroup::tree,
     .scope = Scope::job,
     .names = "--transport",
     .key = "transport",
     .metavar = "NAME",
     .value = checked<check_transport_name, &Settings::transport, &TransportOptions::name>(
         Kind::choice, transport_words),
     .help = "how hosts are reached: ssh, openssh, or local to play them here"},
    {.group = OptionGroup::tree,
     .scope = Scope::job,
     .names = "--ssh-config",
     .key = "ssh-config",
     .metavar = "FILE",
     .value = text<&Settings::transport, &TransportOptions::ssh_config>(Kind::path, none_word),
     .help = "another ssh configuration than yours"},
    {.group = OptionGroup::tree,
     .scope = Scope::job,
     .names = "--accept-new-host-keys",
     .key = "accept-new-host-keys",
     .metavar = "",
     .value = flag<&Settings::transport, &TransportOptions::accept_unknown_keys>(),
     .help = "accept and record the keys of hosts that are in no known_hosts file"},
    {.group = OptionGroup::tree,
     .scope = Scope::job,
     .names = "--forward-agent",
     .key = "forward-agent",
     .metavar = "",
     .value = flag<&Settings::transport, &TransportOptions::forward_agent>(),
     .help = "let the hosts use your ssh agent"},
    {.group = OptionGroup::tree,
     .scope = Scope::job,
     .names = "--push",
     .key = "push",
     .metavar = "WHEN",
     .value = choice<push_choice_names, &Settings::policies, &Policies::push>(),
     .help = "send launch to hosts: auto (where it is missing), always or never"},
    {.group = OptionGroup::tree,
     .scope = Scope::job,
     .names = "--links",
     .key = "links",
     .metavar = "WHAT",
     .value =
         choice<link_choice_names, &Settings::policies, &Policies::links, &LinkPolicy::choice>(),
     .help = "relays talk over ssh, direct (own TCP links), or by default auto"},
    {.group = OptionGroup::tree,
     .scope = Scope::job,
     .names = "--link-ports",
     .key = "link-ports",
     .metavar = "FIRST-LAST",
     .value = value_of<read_ports, write_ports, &Settings::policies, &Policies::links,
                       &LinkPolicy::ports>(Kind::text),
     .help = "TCP ports for direct links; by default any free one"},
});

}  // namespace

std::span<const OptionRow> rows_of_trees() {
    return rows;
}

}  // namespace launch
