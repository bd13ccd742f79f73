// SPDX-License-Identifier: MIT
#include "cmd/render/dry_run_json.hpp"

#include "cmd/render/json_writer.hpp"
#include "topologies/shape.hpp"

namespace launch {
namespace {

void write_program(const Plan& plan, size_t index, const Explanation& explanation,
                   JsonWriter& json) {
    const Program& program = plan.spec.programs[index];
    json.begin_object().key("argv").begin_array();
    for (const auto& word : program.argv)
        json.string(word);
    json.end().key("ranks").number(program.ranks);
    if (!plan.spec.choices.empty() && plan.spec.choices[index]) {
        json.key("nodes").begin_array();
        for (const uint32_t place : *plan.spec.choices[index])
            json.number(place + 1);
        json.end();
    }
    if (index < explanation.offers.size()) json.key("offer").string(explanation.offers[index]);
    json.end();
}

void write_staged(const StageSpec& stage, JsonWriter& json) {
    json.newline().key("stage").begin_array();
    for (const StagedFile& file : stage.files)
        json.begin_object()
            .key("source")
            .string(file.source)
            .key("dest")
            .string(file.dest)
            .key("bytes")
            .number(file.size)
            .end();
    json.end();
}

void write_tree(const Plan& plan, const ViewSettings& view, JsonWriter& json) {
    const auto shape = shape_of(*plan.topology, plan.nodes());
    json.newline().key("topology").string(plan.topology->name());
    json.key("depth").number(shape.depth).key("degree").number(shape.max_degree);
    if (plan.routing) json.newline().key("routing").string(plan.routing->name());
    if (!view.explain) return;
    const auto push = static_cast<size_t>(plan.spec.policies.push);
    json.newline().key("reason").string(plan.topology_reason);
    json.key("push").string(push_choice_names.at(push));
}

void write_host(const Plan& plan, NodeIndex node, const Explanation& explanation,
                JsonWriter& json) {
    const Host& host = plan.hosts[node - 1];
    json.newline().begin_object().key("node").number(node).key("name").string(host.name);
    if (!host.user.empty()) json.key("user").string(host.user);
    if (host.port != 0) json.key("port").number(host.port);
    json.key("slots").number(host.slots);
    if (node + plan.spares >= plan.nodes()) json.key("spare").boolean(true);
    if (!plan.session)
        json.key("parent").number(plan.local ? 0 : plan.topology->parent(node, plan.nodes()));
    if (plan.routing) json.key("routing_parent").number(plan.routing->parent(node, plan.nodes()));
    json.key("ranks").begin_array();
    for (const auto& run : plan.placement.node(node - 1))
        json.begin_array().number(run.first).number(run.count).number(run.stride).end();
    json.end();
    if (explanation.start) json.key("start").string(explanation.start(host));
    json.end();
}

/// Of each rank on this machine.
void write_bindings(const std::vector<PlannedBinding::Rank>& ranks, JsonWriter& json) {
    json.newline().key("bindings").begin_array();
    for (const auto& [rank, bound, env] : ranks) {
        json.begin_object().key("rank").number(rank);
        if (!bound.cpus.empty())
            json.key("cpus").string(to_string(bound.cpus)).key("locality").string(bound.locality);
        if (!env.empty()) {
            json.key("env").begin_array();
            for (const std::string& entry : env)
                json.string(entry);
            json.end();
        }
        json.end();
    }
    json.end();
}

}  // namespace

std::string plan_json(const Plan& plan, const ViewSettings& view, const Explanation& explanation) {
    const bool cyclic = plan.spec.mapping == Mapping::cyclic;
    JsonWriter json;
    json.begin_object().key("version").number(plan_version);
    json.key("ranks").number(plan.placement.ranks());
    json.key("mapping").string(cyclic ? "cyclic" : "block").key("local").boolean(plan.local);
    json.newline().key("programs").begin_array();
    for (size_t i = 0; i < plan.spec.programs.size(); ++i)
        write_program(plan, i, explanation, json);
    json.end();
    if (plan.spec.stage.any()) write_staged(plan.spec.stage, json);
    if (view.explain && !plan.spec.allocation.empty())
        json.newline().key("allocation").string(plan.spec.allocation);
    if (!explanation.binding.ranks.empty()) write_bindings(explanation.binding.ranks, json);
    if (plan.session) {
        json.newline().key("session").string(plan.session->name);
    } else {
        json.newline().key("transport").string(plan.spec.transport.name);
        write_tree(plan, view, json);
    }
    json.newline().key("hosts").begin_array();
    for (NodeIndex node = 1; node < plan.nodes(); ++node)
        write_host(plan, node, explanation, json);
    return json.newline().end().newline().end().take() + "\n";
}

}  // namespace launch
