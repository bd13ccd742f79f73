// SPDX-License-Identifier: MIT
#include "cmd/render/stacks_text.hpp"

#include <algorithm>
#include <utility>

#include "cmd/render/json.hpp"
#include "cmd/render/tree_picture.hpp"
#include "core/base/list_text.hpp"
#include "core/base/terminal_text.hpp"
#include "core/job/fold_ranks.hpp"

namespace launch {
namespace {

constexpr int stacks_version = 1;

std::vector<std::string> innermost_first(const std::vector<std::string>& functions) {
    return {functions.rbegin(), functions.rend()};
}

Json group_json(const StackGroups::Group& group) {
    const Stack& stack = group.stack;
    Json json = {{"ranks", group.ranks},
                 {"program", stack.program},
                 {"frames", innermost_first(stack.frames)}};
    if (!stack.note.empty()) json["note"] = stack.note;
    return json;
}

/// A function, or several in a row that all of these ranks are in.
struct Called {
    std::vector<std::string> functions;
    StackGroups::Ranks ranks = {};
    std::vector<Called> inner = {};
};

void add(Called& caller, const Stack& stack, size_t depth, const StackGroups::Ranks& ranks) {
    caller.ranks.insert(ranks.begin(), ranks.end());
    if (depth == stack.frames.size()) {
        if (!stack.note.empty()) caller.inner.push_back({{stack.note}, ranks});
        return;
    }
    const std::string& function = stack.frames[depth];
    auto at = std::find_if(caller.inner.begin(), caller.inner.end(),
                           [&](const Called& each) { return each.functions.front() == function; });
    if (at == caller.inner.end()) at = caller.inner.insert(at, Called{{function}});
    add(*at, stack, depth + 1, ranks);
}

/// One box for functions between which no ranks part.
/// `apart`: so many levels, of all ranks and of programs, have boxes of their own.
ShownNode box_of(Called called, int apart) {
    while (apart <= 0 && called.inner.size() == 1 && called.inner.front().ranks == called.ranks) {
        Called inner = std::move(called.inner.front());
        called.functions.push_back(inner.functions.front());
        called.inner = std::move(inner.inner);
    }
    ShownNode node{.names = joined(innermost_first(called.functions), " <- "),
                   .more = short_fold({called.ranks.begin(), called.ranks.end()})};
    for (Called& inner : called.inner)
        node.below.push_back(box_of(std::move(inner), apart - 1));
    node.measure();
    return node;
}

/// Programs are the roots of their functions.
ShownNode picture_of(const StackGroups& stacks) {
    Called all{{"all ranks"}};
    for (const auto& group : stacks.by_size()) {
        Stack stack = group.stack;
        stack.frames.insert(stack.frames.begin(), stack.program);
        add(all, stack, 0, group.ranks);
    }
    return box_of(std::move(all), 2);
}

std::string caption_of(const StackGroups& stacks) {
    return stack_lines(stacks).front();
}

}  // namespace

std::string stacks_svg(const StackGroups& stacks) {
    return tree_svg(picture_of(stacks), caption_of(stacks));
}

std::string stacks_dot(const StackGroups& stacks) {
    return tree_dot(picture_of(stacks), caption_of(stacks));
}

std::string stacks_text(const StackGroups& stacks) {
    std::string text;
    for (const auto& line : stack_lines(stacks))
        text += terminal_text(line) + "\n";
    return text;
}

std::string stacks_json(const StackGroups& stacks) {
    Json json = {{"version", stacks_version}, {"groups", Json::array()}};
    for (const auto& group : stacks.by_size())
        json["groups"].push_back(group_json(group));
    return json_text(json);
}

}  // namespace launch
