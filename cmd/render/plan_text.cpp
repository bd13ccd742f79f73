// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <cctype>
#include <limits>
#include <map>

#include "cmd/options/usage_error.hpp"
#include "cmd/render/dry_run.hpp"
#include "core/base/counted.hpp"
#include "core/base/shell_word.hpp"
#include "core/hosts/host_text.hpp"
#include "core/hosts/hostlist.hpp"
#include "topologies/draw.hpp"
#include "topologies/shape.hpp"

namespace launch {
namespace {

std::string row(std::string name, const std::string& value) {
    constexpr size_t column = 11;
    name.resize(column, ' ');
    return name + value + "\n";
}

std::string per_host(const Placement& placement, size_t hosts) {
    uint32_t least = std::numeric_limits<uint32_t>::max();
    uint32_t most = 0;
    for (size_t i = 0; i < hosts; ++i) {
        const uint32_t size = local_size(placement.node(i));
        least = std::min(least, size);
        most = std::max(most, size);
    }
    const auto text = std::to_string(most);
    return (least == most ? text : std::to_string(least) + " to " + text) + " a host";
}

std::string placement_row(const Plan& plan) {
    const auto ranks = counted(plan.placement.ranks(), "rank");
    if (plan.local)
        return row("job", ranks + " on this machine, " + counted(plan.hosts[0].slots, "slot"));
    const bool cyclic = plan.spec.mapping == Mapping::cyclic;
    const size_t hosts = plan.hosts.size() - plan.spares;
    return row("job", ranks + " on " + counted(hosts, "host") + ", " +
                          per_host(plan.placement, hosts) + (cyclic ? ", cyclic" : ", block"));
}

/// A host without its slots, which the ranks beside it tell better. Where a port alone would read
/// as slots, it keeps its own.
Host named_host(Host host) {
    if (host.port == 0 || !host.user.empty()) host.slots = 1;
    return host;
}

/// Says how the job treats hosts that cannot be started.
std::string missing_rows(const Plan& plan) {
    if (plan.local || !plan.may_miss()) return {};
    std::string text;
    if (plan.spares > 0) {
        std::vector<Host> spares;
        for (size_t i = plan.hosts.size() - plan.spares; i < plan.hosts.size(); ++i)
            spares.push_back(named_host(plan.hosts[i]));
        text = "replaced by " + fold_hosts(spares);
    }
    if (plan.spec.allow_missing) text += text.empty() ? "left out" : ", then left out";
    return row("missing", text + "; ranks are placed when all hosts are up or known not to be");
}

/// " on n[1-2]" where a program has hosts of its own.
std::string on_own_hosts(const Plan& plan, size_t program) {
    if (plan.spec.choices.empty() || !plan.spec.choices[program]) return {};
    std::vector<Host> hosts;
    for (const uint32_t place : *plan.spec.choices[program])
        hosts.push_back(named_host(plan.hosts[place]));
    return " on " + fold_hosts(hosts);
}

/// As a shell takes it, to be copied; but a control character would spoil the row.
std::string program_word(std::string_view word) {
    return has_control(word) ? quoted(word) : shell_word(word);
}

std::string program_rows(const Plan& plan, const std::vector<std::string>& offers) {
    std::string text;
    uint32_t next = 0;
    for (size_t i = 0; i < plan.spec.programs.size(); ++i) {
        const Program& program = plan.spec.programs[i];
        std::string line;
        for (const auto& word : program.argv)
            line += (line.empty() ? "" : " ") + program_word(word);
        const uint32_t last = next + program.ranks - 1;
        line += next == last ? " (rank " : " (ranks ";
        line += std::to_string(next) + (next == last ? "" : "-" + std::to_string(last)) + ")";
        text += row("program", line + on_own_hosts(plan, i));
        if (i < offers.size()) text += row("offers", offers[i]);
        next = last + 1;
    }
    return text;
}

std::string stage_rows(const StageSpec& stage) {
    std::string text;
    for (const StagedFile& file : stage.files)
        text += row("stage", shown(file.source) + " (" + std::to_string(file.size) + " B) to " +
                                 (file.in_folder() ? "$LAUNCH_STAGE_DIR/" : "") + shown(file.dest));
    return text;
}

std::string push_row(PushChoice push) {
    constexpr std::array<const char*, push_choice_names.size()> texts{
        "a host without this build of launch is sent it, by who starts it",
        "every host is sent this launch, by who starts it",
        "none: every host must have this build of launch",
    };
    return row("push", texts.at(static_cast<size_t>(push)));
}

/// A relay has a link to its parent and one to each of its children.
std::string links_row(const Topology& topology, NodeIndex nodes_in_all, const Shape& shape) {
    constexpr size_t most_listed = 4;
    std::vector<NodeIndex> children;
    topology.children(0, nodes_in_all, children);
    std::vector<std::pair<uint32_t, uint64_t>> links;
    for (auto [degree, nodes] : shape.degree_histogram) {
        if (degree == children.size()) --nodes;
        if (nodes > 0) links.emplace_back(degree + 1, nodes);
    }
    std::string text = std::to_string(children.size()) + " at the head";
    if (links.size() > most_listed) {
        return row("links", text + ", " + std::to_string(links.front().first) + " to " +
                                std::to_string(links.back().first) + " at a host");
    }
    for (const auto& [count, hosts] : links)
        text += ", " + std::to_string(count) + " at " + counted(hosts, "host");
    return row("links", text);
}

std::string tree_rows(const std::string& name, const Topology& topology, NodeIndex nodes) {
    const auto shape = shape_of(topology, nodes);
    return row(name, topology.name() + ": depth " + std::to_string(shape.depth) +
                         ", largest degree " + std::to_string(shape.max_degree)) +
           links_row(topology, nodes, shape);
}

/// "ranks 0-3", "spare", "ranks 2-3, 1 spare": what the nodes first..last are for.
std::string use_of(const Plan& plan, NodeIndex first, NodeIndex last) {
    const auto first_spare = static_cast<NodeIndex>(plan.nodes() - plan.spares);
    if (first >= first_spare) return first == last ? "spare" : "spares";
    const NodeIndex last_main = std::min(last, first_spare - 1);
    const auto ranks = ranks_of(plan.placement, first - 1, last_main - 1);
    return last == last_main ? ranks : ranks + ", " + counted(last - last_main, "spare");
}

std::string tree(const Plan& plan, const Topology& topology, bool full) {
    const auto label = [&](NodeIndex first, NodeIndex last) -> std::string {
        if (first == 0)
            return plan.session ? "session " + plan.session->name : "head (this machine)";
        std::vector<Host> hosts;
        hosts.reserve(last - first + 1);
        for (auto i = first; i <= last; ++i)
            hosts.push_back(named_host(plan.hosts[i - 1]));
        return fold_hosts(hosts) + " (" + use_of(plan, first, last) + ")";
    };
    DrawOptions options;
    options.full = full;
    return "\n" + draw_tree(topology, plan.nodes(), options, label);
}

/// Draws the tree of --routing, to which all nodes move when every host is up.
std::string routing(const Plan& plan, bool full) {
    if (!plan.routing) return {};
    return "\n" + tree_rows("routing", *plan.routing, plan.nodes()) +
           tree(plan, *plan.routing, full);
}

/// Pairs of a starting and a started node whose command lines differ only in the name of the host.
using AlikeStarts = std::vector<std::pair<NodeIndex, NodeIndex>>;

/// A mark in the place of each word that is the name.
std::string without_name(const std::string& line, const std::string& name) {
    const auto in_word = [&](size_t at) {
        const auto byte = at < line.size() ? static_cast<unsigned char>(line[at]) : '\0';
        return std::isalnum(byte) != 0 || byte == '-' || byte == '.' || byte == '_';
    };
    std::string text;
    size_t begin = 0;
    for (size_t at = line.find(name); at != line.npos; at = line.find(name, at + 1)) {
        if (at < begin || (at > 0 && in_word(at - 1)) || in_word(at + name.size())) continue;
        text.append(line, begin, at - begin).push_back('\0');
        begin = at + name.size();
    }
    return text.append(line, begin);
}

std::vector<AlikeStarts> alike_starts(const Plan& plan, NodeIndex nodes,
                                      const StartCommand& start) {
    std::vector<AlikeStarts> found;
    std::map<std::string, size_t> places;
    for (NodeIndex i = 1; i < nodes; ++i) {
        const Host& host = plan.hosts[i - 1];
        const auto [place, fresh] =
            places.emplace(without_name(start(host), host.name), found.size());
        if (fresh) found.emplace_back();
        found[place->second].emplace_back(plan.topology->parent(i, plan.nodes()), i);
    }
    return found;
}

std::string node_name(const Plan& plan, NodeIndex node) {
    return node == 0 ? "head" : to_string(named_host(plan.hosts[node - 1]));
}

/// All but the first, whose command line has been shown.
std::string started_by_parent(const Plan& plan, const AlikeStarts& alike,
                              const std::string& first) {
    std::map<NodeIndex, std::vector<Host>> by_parent;
    for (const auto& [parent, node] : alike)
        if (node != alike.front().second)
            by_parent[parent].push_back(named_host(plan.hosts[node - 1]));
    std::string text = "and alike, with the name in the place of " + first + ":\n";
    for (const auto& [parent, hosts] : by_parent)
        text += "  " + node_name(plan, parent) + " starts " + fold_hosts(hosts) + "\n";
    return text;
}

std::string command_lines(const Plan& plan, bool full, const StartCommand& start) {
    constexpr NodeIndex first_few = 4;
    const NodeIndex nodes = plan.nodes();
    // Folding one line would not make it shorter.
    const NodeIndex shown_nodes = full || nodes <= first_few + 2 ? nodes : first_few + 1;
    std::string text = "\n";
    for (const AlikeStarts& alike : alike_starts(plan, shown_nodes, start)) {
        const auto& [parent, first] = alike.front();
        const std::string name = to_string(named_host(plan.hosts[first - 1]));
        text += node_name(plan, parent) + " starts " + name + ":\n  " +
                start(plan.hosts[first - 1]) + "\n";
        if (alike.size() > 1) text += started_by_parent(plan, alike, name);
    }
    if (shown_nodes < nodes) text += "and " + std::to_string(nodes - shown_nodes) + " more alike\n";
    if (plan.spec.transport.name != "local" && shape_of(*plan.topology, nodes).depth > 1)
        text += "(what a host starts goes by the ssh config there)\n";
    return text;
}

}  // namespace

std::string plan_text(const Plan& plan, const ViewSettings& view, const Explanation& explanation) {
    auto text =
        placement_row(plan) + program_rows(plan, explanation.offers) + stage_rows(plan.spec.stage);
    for (size_t i = 0; i < explanation.binding.lines.size(); ++i)
        text += row(i == 0 ? "binding" : "", explanation.binding.lines[i]);
    if (view.explain && !plan.spec.allocation.empty())
        text += row("allocation", plan.spec.allocation);
    if (plan.local) {
        if (view.explain)
            text += row("why", "no hosts are given: the ranks are children of launch");
        return text;
    }
    if (plan.session)
        return text + row("tree", plan.session->tree + ", which runs already") +
               tree(plan, *plan.topology, view.full);
    text += missing_rows(plan) + row("transport", plan.spec.transport.name) +
            tree_rows("topology", *plan.topology, plan.nodes());
    if (view.explain) text += row("why", plan.topology_reason) + push_row(plan.spec.policies.push);
    text += tree(plan, *plan.topology, view.full) + routing(plan, view.full);
    if (view.explain) text += command_lines(plan, view.full, explanation.start);
    return text;
}

}  // namespace launch
