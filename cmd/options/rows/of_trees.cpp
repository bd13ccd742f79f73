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

std::string check_topology(std::string_view text) {
    const auto made = make_topology(text, 0, 1, nullptr);
    return made ? std::string() : made.error().cause + " (" + made.error().hint + ")";
}

/// "spawn" is the tree of the start.
std::string check_routing(std::string_view text) {
    return text == "spawn" ? std::string() : check_topology(text);
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

constexpr auto host_loss_helps = std::to_array<std::string_view>(
    {"end the job, the default", "let the ranks of the other hosts run on"});

constexpr auto stacks_helps = std::to_array<std::string_view>(
    {"before ranks are killed, the default", "also when a rank fails, before the others are ended",
     "only for launch stacks"});

constexpr auto of_independent = std::to_array<Implied>({
    {"keep-going", "true"},
    {"on-host-loss", "continue"},
    {"allow-missing", "true"},
    {"label-pattern", "%h: "},
});

constexpr auto tree_rows = std::to_array<OptionRow>({
    {.names = "-k --degree",
     .metavar = "K",
     .value = number<&Settings::degree>(),
     .example = "8",
     .family = "tree"},
    {.names = "--topology",
     .metavar = "NAME",
     .value = checked<check_topology, &Settings::topology>(Kind::choice, topology_words),
     .example = "kary:8",
     .family = "tree"},
    {.names = "--routing",
     .metavar = "NAME",
     .value = checked<check_routing, &Settings::routing>(Kind::choice, routing_words),
     .example = "binomial"},
    {.names = "--transport",
     .metavar = "NAME",
     .value = checked<objection_to_transport, &Settings::transport, &TransportOptions::name>(
         Kind::choice, transport_words),
     .example = "openssh"},
    {.names = "--ssh-config",
     .metavar = "FILE",
     .value = text<&Settings::transport, &TransportOptions::ssh_config>(Kind::path, none_word),
     .example = "ssh.conf"},
    {.names = "--call-folder",
     .metavar = "DIR",
     .value = text<&Settings::transport, &TransportOptions::call_folder>(Kind::path),
     .example = "/shared/me",
     .completes = Completes::folders},
    {.names = "--accept-new-host-keys",
     .value = flag<&Settings::transport, &TransportOptions::accept_unknown_keys>()},
    {.names = "--forward-agent",
     .value = flag<&Settings::transport, &TransportOptions::forward_agent>()},
    {.names = "--push",
     .metavar = "WHEN",
     .value = choice<push_choice_names, push_helps, &Settings::policies, &Policies::push>()},
    {.names = "--links",
     .metavar = "WHAT",
     .value = choice<link_choice_names, link_helps, &Settings::policies, &Policies::links,
                     &LinkPolicy::choice>()},
    {.names = "--link-ports",
     .metavar = "FIRST-LAST",
     .value = value_with<read_ports, write_ports, &Settings::policies, &Policies::links,
                         &LinkPolicy::ports>(Kind::text),
     .example = "5000-5100"},
});

constexpr auto time_rows = std::to_array<OptionRow>({
    {.names = "--keep-going", .value = flag<&Settings::policies, &Policies::keep_going>()},
    {.names = "--on-host-loss",
     .metavar = "WHAT",
     .value =
         choice<host_loss_names, host_loss_helps, &Settings::policies, &Policies::host_loss>()},
    {.names = "--independent", .value = flag<&Settings::independent>(), .implies = of_independent},
    {.names = "--timeout", .metavar = "TIME", .value = time<&Settings::timeout>()},
    {.names = "--hang", .metavar = "TIME", .value = time<&Settings::hang>()},
    {.names = "--stacks",
     .metavar = "WHEN",
     .value = choice<stacks_when_names, stacks_helps, &Settings::stacks>()},
    {.names = "--core-dir",
     .metavar = "DIR",
     .value = text<&Settings::policies, &Policies::core_dir>(Kind::path),
     .example = "cores",
     .completes = Completes::folders},
    {.names = "--kill-grace",
     .metavar = "TIME",
     .value = time<&Settings::policies, &Policies::kill_grace>()},
    {.names = "--connect-timeout",
     .metavar = "TIME",
     .value = time_above_zero<&Settings::policies, &Policies::connect_timeout>()},
    {.names = "--start-timeout",
     .metavar = "TIME",
     .value = time_above_zero<&Settings::policies, &Policies::start_timeout>()},
    {.names = "--start-limit",
     .metavar = "TIME",
     .value = time<&Settings::start_limit>(),
     .example = "5m"},
    {.names = "--liveness",
     .metavar = "TIME",
     .value = time<&Settings::policies, &Policies::liveness>()},
});

}  // namespace

std::span<const OptionRow> rows_of_tree() {
    static constexpr auto complete =
        complete_rows("tree", OptionGroup::tree, Scope::job, tree_rows);
    return complete;
}

std::span<const OptionRow> rows_of_time() {
    static constexpr auto complete =
        complete_rows("time", OptionGroup::time, Scope::job, time_rows);
    return complete;
}

}  // namespace launch
