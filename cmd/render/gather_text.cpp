// SPDX-License-Identifier: MIT
#include "cmd/render/gather_text.hpp"

#include <map>

#include "cmd/exit_code.hpp"
#include "cmd/render/json_writer.hpp"
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

std::string with_newline(const std::string& text) {
    return text.empty() || text.ends_with('\n') ? text : text + "\n";
}

std::string block(const GatheredGroup& group, const GatheredOutput& output) {
    return rule + name_of(group, output) + "\n" + rule + with_newline(group.text);
}

/// Standard error of ranks that have written nothing says nothing; neither does standard output,
/// but for how they ended.
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

/// Only where there are any.
void write_spawned(JsonWriter& json, const GatheredGroup& group) {
    if (group.ranks.back().space == 0) return;
    json.key("spawned").begin_array();
    for (const RankOfSpace& each : group.ranks)
        if (each.space > 0) json.string(rank_name(each.rank, each.space));
    json.end();
}

void write_groups(JsonWriter& json, const char* stream, const std::vector<GatheredGroup>& groups) {
    for (const auto& group : groups) {
        json.newline().begin_object().key("stream").string(stream);
        json.key("hosts").string(fold_names(group.hosts)).key("ranks").begin_array();
        for (const RankOfSpace& each : group.ranks)
            if (each.space == 0) json.number(each.rank);
        json.end();
        write_spawned(json, group);
        json.key("exit_code");
        if (group.status)
            json.number(static_cast<uint64_t>(exit_code_of(*group.status)));
        else
            json.null();
        json.key("text").string(group.text).end();
    }
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
    JsonWriter json;
    // Scripts were told of gather_version before there was one name for all versions.
    json.begin_object().key("version").number(gather_version);
    json.key("gather_version").number(gather_version).key("groups").begin_array();
    write_groups(json, "out", output.out);
    write_groups(json, "err", output.err);
    json.newline().end().end();
    return json.take() + "\n";
}

}  // namespace launch
