// SPDX-License-Identifier: MIT
#include "cmd/render/dry_run.hpp"
#include "cmd/render/json.hpp"
#include "topologies/shape.hpp"

namespace launch {
namespace {

Json program_json(const Plan& plan, size_t index, const Explanation& explanation) {
    const Program& program = plan.spec.programs[index];
    Json json = {{"argv", program.argv}, {"ranks", program.ranks}};
    if (!plan.spec.choices.empty() && plan.spec.choices[index]) {
        json["nodes"] = json_list(*plan.spec.choices[index], [](uint32_t at) { return at + 1; });
    }
    if (index < explanation.offers.size()) json["offer"] = explanation.offers[index];
    return json;
}

void add_tree(const Plan& plan, const ViewSettings& view, Json& json) {
    const auto shape = shape_of(*plan.topology, plan.nodes());
    json["topology"] = plan.topology->name();
    json["depth"] = shape.depth;
    json["degree"] = shape.max_degree;
    if (plan.routing) json["routing"] = plan.routing->name();
    if (!view.explain) return;
    json["reason"] = plan.topology_reason;
    json["push"] = push_choice_names.at(static_cast<size_t>(plan.spec.policies.push));
}

Json host_json(const Plan& plan, NodeIndex node, const Explanation& explanation) {
    const Host& host = plan.hosts[node - 1];
    Json json = {{"node", node}, {"name", host.name}};
    if (!host.user.empty()) json["user"] = host.user;
    if (host.port != 0) json["port"] = host.port;
    json["slots"] = host.slots;
    if (node + plan.spares >= plan.nodes()) json["spare"] = true;
    if (!plan.session) json["parent"] = plan.local ? 0 : plan.topology->parent(node, plan.nodes());
    if (plan.routing) json["routing_parent"] = plan.routing->parent(node, plan.nodes());
    json["ranks"] = json_list(plan.placement.node(node - 1), [](const RankRun& run) {
        return Json::array({run.first, run.count, run.stride});
    });
    if (explanation.start) json["start"] = explanation.start(host);
    return json;
}

Json binding_json(const PlannedBinding::Rank& binding) {
    Json json = {{"rank", binding.rank}};
    if (!binding.bound.cpus.empty()) {
        json["cpus"] = to_string(binding.bound.cpus);
        json["locality"] = binding.bound.locality;
    }
    if (!binding.env.empty()) json["env"] = binding.env;
    return json;
}

}  // namespace

std::string plan_json(const Plan& plan, const ViewSettings& view, const Explanation& explanation) {
    const bool cyclic = plan.spec.mapping == Mapping::cyclic;
    Json json = {{"version", plan_version},
                 {"ranks", plan.placement.ranks()},
                 {"mapping", cyclic ? "cyclic" : "block"},
                 {"local", plan.local},
                 {"programs", Json::array()}};
    for (size_t i = 0; i < plan.spec.programs.size(); ++i)
        json["programs"].push_back(program_json(plan, i, explanation));
    for (const StagedFile& file : plan.spec.stage.files)
        json["stage"].push_back(
            {{"source", file.source}, {"dest", file.dest}, {"bytes", file.size}});
    if (view.explain && !plan.spec.allocation.empty()) json["allocation"] = plan.spec.allocation;
    if (!explanation.binding.ranks.empty())
        json["bindings"] = json_list(explanation.binding.ranks, binding_json);
    if (plan.session) {
        json["session"] = plan.session->name;
    } else {
        json["transport"] = plan.spec.transport.name;
        add_tree(plan, view, json);
    }
    json["hosts"] = Json::array();
    for (NodeIndex node = 1; node < plan.nodes(); ++node)
        json["hosts"].push_back(host_json(plan, node, explanation));
    return json_text(json);
}

}  // namespace launch
