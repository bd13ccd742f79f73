// SPDX-License-Identifier: MIT
#include "cmd/render/stacks_text.hpp"

#include "cmd/render/json.hpp"

namespace launch {
namespace {

constexpr int stacks_version = 1;

Json group_json(const StackGroups::Group& group) {
    const Stack& stack = group.stack;
    Json frames = Json::array();
    for (auto frame = stack.frames.rbegin(); frame != stack.frames.rend(); ++frame)
        frames.push_back(*frame);
    Json json = {{"ranks", group.ranks}, {"program", stack.program}, {"frames", frames}};
    if (!stack.note.empty()) json["note"] = stack.note;
    return json;
}

}  // namespace

std::string stacks_text(const StackGroups& stacks) {
    std::string text;
    for (const auto& line : stack_lines(stacks))
        text += line + "\n";
    return text;
}

std::string stacks_json(const StackGroups& stacks) {
    Json json = {{"version", stacks_version}, {"groups", Json::array()}};
    for (const auto& group : stacks.by_size())
        json["groups"].push_back(group_json(group));
    return json_text(json);
}

}  // namespace launch
