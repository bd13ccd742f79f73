// SPDX-License-Identifier: MIT
#include "cmd/render/gather_text.hpp"

#include <map>

#include "cmd/exit_code.hpp"
#include "cmd/render/json.hpp"
#include "cmd/render/line_diff.hpp"
#include "core/hosts/hostlist.hpp"
#include "core/job/fold_ranks.hpp"

namespace launch {
namespace {

constexpr uint32_t gather_version = 1;
constexpr const char* rule = "---------------\n";

/// "ranks 0-7,9", and of spawned processes "rank 0, ranks 1.[0-3]".
std::string gathered_ranks(const std::vector<RankOfSpace>& ranks) {
    std::map<uint32_t, std::vector<uint32_t>> by_space;
    for (const RankOfSpace& each : ranks)
        by_space[each.space].push_back(each.rank);
    std::string text;
    for (const auto& [space, those] : by_space)
        text += (text.empty() ? "" : ", ") + fold_ranks(those, space);
    return text;
}

/// "node[001-063] (63)", "ranks 0-7,9 (9) on node[001-002]", "node064: exit code 3".
std::string name_of(const GatheredGroup& group, const GatheredOutput& output) {
    const std::string hosts = fold_names(group.hosts);
    const std::string count =
        group.ranks.size() > 1 ? " (" + std::to_string(group.ranks.size()) + ")" : "";
    std::string name = output.one_rank_a_host
                           ? hosts + count
                           : gathered_ranks(group.ranks) + count + " on " + hosts;
    if (!output.exits_differ) return name;
    return name + ": " + (group.status ? to_string(*group.status) : "how it ended is not known");
}

std::string block(const GatheredGroup& group, const GatheredOutput& output) {
    const bool is_whole = group.text.empty() || group.text.ends_with('\n');
    return rule + name_of(group, output) + "\n" + rule + group.text + (is_whole ? "" : "\n");
}

/// A group without output is not shown, except to say how its ranks failed.
bool is_shown(const GatheredGroup& group, const GatheredOutput& output, Stream stream) {
    const bool failed = !group.status || !group.status->success();
    return !group.text.empty() || (stream == Stream::out && output.exits_differ && failed);
}

std::string difference(const GatheredGroup& first, const GatheredGroup& other,
                       const GatheredOutput& output) {
    const auto hunks = unified_hunks(first.text, other.text);
    if (!hunks) return block(other, output);  // hardly a line is the same
    return "--- " + name_of(first, output) + "\n+++ " + name_of(other, output) + "\n" + *hunks;
}

Json group_json(const char* stream, const GatheredGroup& group) {
    Json json = {{"stream", stream}, {"hosts", fold_names(group.hosts)}, {"ranks", Json::array()}};
    for (const RankOfSpace& each : group.ranks) {
        if (each.space == 0)
            json["ranks"].push_back(each.rank);
        else
            json["spawned"].push_back(rank_name(each.rank, each.space));
    }
    json["exit_code"] = group.status ? Json(exit_code_of(*group.status)) : Json();
    json["text"] = group.text;
    return json;
}

}  // namespace

std::string gather_text(const GatheredOutput& output, Stream stream, GatherChoice choice) {
    const auto& groups = stream == Stream::out ? output.out : output.err;
    std::string text;
    const GatheredGroup* first = nullptr;
    for (const auto& group : groups) {
        if (first == nullptr && is_shown(group, output, stream)) {
            first = &group;
            text += block(group, output);
        } else if (choice == GatherChoice::diff && first != nullptr) {
            text += difference(*first, group, output);
        } else if (is_shown(group, output, stream)) {
            text += block(group, output);
        }
    }
    return text;
}

std::string gather_json(const GatheredOutput& output) {
    // Scripts knew gather_version before all JSON had the key version.
    Json json = {
        {"version", gather_version}, {"gather_version", gather_version}, {"groups", Json::array()}};
    for (const auto& group : output.out)
        json["groups"].push_back(group_json("out", group));
    for (const auto& group : output.err)
        json["groups"].push_back(group_json("err", group));
    return json_text(json);
}

}  // namespace launch
