#include "cmd/show/dry_run_json.hpp"

#include "cmd/show/json_text.hpp"
#include "topologies/shape.hpp"

namespace launch {
namespace {

std::string list(const std::vector<std::string>& words) {
    std::string text = "[";
    for (const auto& word : words)
        text += (text.size() > 1 ? ", " : "") + json_string(word);
    return text + "]";
}

/// The tree nodes of hosts at these places.
std::string nodes(const std::vector<uint32_t>& places) {
    std::string text = "[";
    for (const uint32_t place : places)
        text += (text.size() > 1 ? ", " : "") + std::to_string(place + 1);
    return text + "]";
}

std::string programs(const Plan& plan, const std::vector<std::string>& offers) {
    std::string text = "[";
    for (size_t i = 0; i < plan.spec.programs.size(); ++i) {
        const Program& program = plan.spec.programs[i];
        text += (text.size() > 1 ? ", " : "") + std::string("{\"argv\": ") + list(program.argv) +
                ", \"ranks\": " + std::to_string(program.ranks);
        if (!plan.spec.choices.empty() && plan.spec.choices[i])
            text += ", \"nodes\": " + nodes(*plan.spec.choices[i]);
        if (i < offers.size()) text += ", \"offer\": " + json_string(offers[i]);
        text += "}";
    }
    return text + "]";
}

std::string staged(const StageSpec& stage) {
    std::string text = "[";
    for (const StagedFile& file : stage.files)
        text += (text.size() > 1 ? ", " : "") + std::string("{\"source\": ") +
                json_string(file.source) + ", \"dest\": " + json_string(file.dest) +
                ", \"bytes\": " + std::to_string(file.size) + "}";
    return text + "]";
}

std::string runs(std::span<const RankRun> node) {
    std::string text = "[";
    for (const auto& run : node) {
        text += (text.size() > 1 ? ", [" : "[") + std::to_string(run.first) + ", " +
                std::to_string(run.count) + ", " + std::to_string(run.stride) + "]";
    }
    return text + "]";
}

std::string host_object(const Plan& plan, NodeIndex node) {
    const Host& host = plan.hosts[node - 1];
    std::string text =
        "{\"node\": " + std::to_string(node) + ", \"name\": " + json_string(host.name);
    if (!host.user.empty()) text += ", \"user\": " + json_string(host.user);
    if (host.port != 0) text += ", \"port\": " + std::to_string(host.port);
    text += ", \"slots\": " + std::to_string(host.slots);
    if (node + plan.spares >= plan.nodes()) text += ", \"spare\": true";
    const NodeIndex parent = plan.local ? 0 : plan.topology->parent(node, plan.nodes());
    text += ", \"parent\": " + std::to_string(parent);
    if (plan.routing)
        text += ", \"routing_parent\": " + std::to_string(plan.routing->parent(node, plan.nodes()));
    return text + ", \"ranks\": " + runs(plan.placement.node(node - 1));
}

std::string tree_members(const Plan& plan, const ViewSettings& view) {
    const auto shape = shape_of(*plan.topology, plan.nodes());
    std::string text = " \"topology\": " + json_string(plan.topology->name()) +
                       ", \"depth\": " + std::to_string(shape.depth) +
                       ", \"degree\": " + std::to_string(shape.max_degree) + ",\n";
    if (plan.routing) text += " \"routing\": " + json_string(plan.routing->name()) + ",\n";
    if (!view.explain) return text;
    const auto push = static_cast<size_t>(plan.spec.policies.push);
    text += " \"reason\": " + json_string(plan.topology_reason) +
            ", \"push\": " + json_string(std::string(push_choice_names.at(push))) + ",\n";
    return text;
}

}  // namespace

std::string plan_json(const Plan& plan, const ViewSettings& view, const Explanation& explanation) {
    const bool cyclic = plan.spec.mapping == Mapping::cyclic;
    std::string text =
        "{\"ranks\": " + std::to_string(plan.placement.ranks()) +
        ", \"mapping\": " + (cyclic ? "\"cyclic\"" : "\"block\"") +
        ", \"local\": " + (plan.local ? "true" : "false") + ",\n" +
        " \"programs\": " + programs(plan, explanation.offers) + ",\n" +
        (plan.spec.stage.any() ? " \"stage\": " + staged(plan.spec.stage) + ",\n" : "") +
        " \"transport\": " + json_string(plan.spec.transport.name) + ",\n" +
        tree_members(plan, view) + " \"hosts\": [";
    for (NodeIndex node = 1; node < plan.nodes(); ++node) {
        text += (node > 1 ? ",\n  " : "\n  ") + host_object(plan, node);
        if (explanation.start)
            text += ", \"start\": " + json_string(explanation.start(plan.hosts[node - 1]));
        text += "}";
    }
    return text + "\n ]}\n";
}

}  // namespace launch
