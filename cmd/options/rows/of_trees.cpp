// SPDX-License-Identifier: MIT
#include "cmd/options/bind.hpp"
#include "cmd/options/rows/rows.hpp"
#include "cmd/options/rows/with_texts.hpp"
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
     .names = "-k --degree",
     .key = "degree",
     .metavar = "K",
     .value = number<&Settings::degree>(),
     .example = "8",
     .family = "tree"},
    {.group = OptionGroup::tree,
     .names = "--topology",
     .key = "topology",
     .metavar = "NAME",
     .value = checked<check_topology, &Settings::topology>(Kind::choice, topology_words),
     .example = "kary:8",
     .family = "tree"},
    {.group = OptionGroup::tree,
     .names = "--routing",
     .key = "routing",
     .metavar = "NAME",
     .value = checked<check_routing, &Settings::routing>(Kind::choice, routing_words),
     .example = "binomial"},
    {.group = OptionGroup::tree,
     .names = "--transport",
     .key = "transport",
     .metavar = "NAME",
     .value = checked<check_transport_name, &Settings::transport, &TransportOptions::name>(
         Kind::choice, transport_words),
     .example = "openssh"},
    {.group = OptionGroup::tree,
     .names = "--ssh-config",
     .key = "ssh-config",
     .metavar = "FILE",
     .value = text<&Settings::transport, &TransportOptions::ssh_config>(Kind::path, none_word),
     .example = "ssh.conf"},
    {.group = OptionGroup::tree,
     .names = "--call-folder",
     .key = "call-folder",
     .metavar = "DIR",
     .value = text<&Settings::transport, &TransportOptions::call_folder>(Kind::path),
     .example = "/shared/me",
     .completes = Completes::folders},
    {.group = OptionGroup::tree,
     .names = "--accept-new-host-keys",
     .key = "accept-new-host-keys",
     .value = flag<&Settings::transport, &TransportOptions::accept_unknown_keys>()},
    {.group = OptionGroup::tree,
     .names = "--forward-agent",
     .key = "forward-agent",
     .value = flag<&Settings::transport, &TransportOptions::forward_agent>()},
    {.group = OptionGroup::tree,
     .names = "--push",
     .key = "push",
     .metavar = "WHEN",
     .value = choice<push_choice_names, push_helps, &Settings::policies, &Policies::push>()},
    {.group = OptionGroup::tree,
     .names = "--links",
     .key = "links",
     .metavar = "WHAT",
     .value = choice<link_choice_names, link_helps, &Settings::policies, &Policies::links,
                     &LinkPolicy::choice>()},
    {.group = OptionGroup::tree,
     .names = "--link-ports",
     .key = "link-ports",
     .metavar = "FIRST-LAST",
     .value = value_of<read_ports, write_ports, &Settings::policies, &Policies::links,
                       &LinkPolicy::ports>(Kind::text),
     .example = "5000-5100"},
});

}  // namespace

std::span<const OptionRow> rows_of_trees() {
    static constexpr auto complete = with_texts("trees", rows);
    return complete;
}

}  // namespace launch
