// SPDX-License-Identifier: MIT
#include "core/wire/stack_groups.hpp"

#include <algorithm>
#include <utility>

#include "core/base/counted.hpp"
#include "core/base/list_text.hpp"
#include "core/job/fold_ranks.hpp"
#include "core/job/rank_list.hpp"
#include "core/wire/run_codec.hpp"

namespace launch {
namespace {

using Frames = std::vector<std::string>;

size_t common_frames(const Frames& a, const Frames& b) {
    const auto [end, ignored] = std::mismatch(a.begin(), a.end(), b.begin(), b.end());
    return static_cast<size_t>(end - a.begin());
}

/// `left`: so many more ranks may come; more than that are a fault.
StackGroups::Ranks decode_ranks(Decoder& in, size_t& left) {
    StackGroups::Ranks ranks;
    for (const RankRun& run : decode_runs(in)) {
        if (run.stride != 1 || run.count > left || run.first + uint64_t{run.count} > UINT32_MAX)
            in.fail();
        if (!in.ok()) return {};
        left -= run.count;
        for (uint32_t i = 0; i < run.count; ++i)
            ranks.insert(run.first + i);
    }
    return ranks;
}

/// `before`: the frames of the group before.
Frames decode_frames(Decoder& in, const Frames& before) {
    const uint32_t common = in.number32();
    const uint32_t own = in.count();
    if (common > before.size() || own > StackGroups::most_frames - common) in.fail();
    if (!in.ok()) return {};
    Frames frames(before.begin(), before.begin() + common);
    for (uint32_t i = 0; i < own; ++i)
        frames.emplace_back(in.text());
    return frames;
}

void cut(Frames& frames) {
    constexpr size_t half = StackGroups::most_frames / 2;
    if (frames.size() <= StackGroups::most_frames) return;
    const auto end = frames.end() - static_cast<std::ptrdiff_t>(half);
    frames.erase(frames.begin() + static_cast<std::ptrdiff_t>(half), end);
}

size_t size_of(const Stack& stack) {
    size_t size = stack.program.size() + stack.note.size();
    for (const auto& frame : stack.frames)
        size += frame.size() + sizeof frame;
    return size;
}

/// Programs are named where not all ranks run the same one.
std::string text_of(const StackGroups::Group& group, bool names_program) {
    const Stack& stack = group.stack;
    std::string text = "[" + fold_numbers({group.ranks.begin(), group.ranks.end()}) + "] ";
    if (names_program) text += stack.program + ": ";
    if (!stack.note.empty()) text += stack.note + (stack.frames.empty() ? "" : ": ");
    return text + joined(Frames(stack.frames.rbegin(), stack.frames.rend()), " <- ");
}

}  // namespace

void StackGroups::add(Stack stack, Ranks ranks) {
    cut(stack.frames);
    if (!groups_.contains(stack) && text_ + size_of(stack) > most_text)
        stack = {{}, {}, "too many different places"};
    const auto [at, is_new] = groups_.try_emplace(std::move(stack));
    if (is_new) text_ += size_of(at->first);
    at->second.merge(ranks);
}

void StackGroups::merge(StackGroups other) {
    for (auto& [stack, ranks] : other.groups_)
        add(stack, std::move(ranks));
}

StackGroups::Ranks StackGroups::all_ranks() const {
    Ranks all;
    for (const auto& [stack, ranks] : groups_)
        all.insert(ranks.begin(), ranks.end());
    return all;
}

std::vector<StackGroups::Group> StackGroups::by_size() const {
    std::vector<Group> groups;
    for (const auto& [stack, ranks] : groups_)
        groups.push_back({stack, ranks});
    std::stable_sort(groups.begin(), groups.end(), [](const Group& a, const Group& b) {
        return std::pair(b.ranks.size(), *a.ranks.begin()) <
               std::pair(a.ranks.size(), *b.ranks.begin());
    });
    return groups;
}

void StackGroups::encode(Encoder& out) const {
    static const Frames none;
    const Frames* before = &none;
    out.number(groups_.size());
    for (const auto& [stack, ranks] : groups_) {
        const size_t common = common_frames(stack.frames, *before);
        out.text(stack.program).number(common).number(stack.frames.size() - common);
        for (size_t i = common; i < stack.frames.size(); ++i)
            out.text(stack.frames[i]);
        out.text(stack.note);
        encode_runs(out, runs_of(ranks));
        before = &stack.frames;
    }
}

StackGroups StackGroups::decode(Decoder& in) {
    StackGroups groups;
    Frames before;
    size_t ranks_left = most_ranks;
    const uint32_t count = in.count();
    for (uint32_t i = 0; in.ok() && i < count; ++i) {
        Stack stack;
        stack.program = in.text();
        stack.frames = decode_frames(in, before);
        stack.note = in.text();
        before = stack.frames;
        Ranks ranks = decode_ranks(in, ranks_left);
        if (ranks.empty()) in.fail();
        if (in.ok()) groups.add(std::move(stack), std::move(ranks));
    }
    return groups;
}

std::vector<std::string> stack_lines(const StackGroups& groups) {
    const auto all = groups.by_size();
    std::set<std::string_view> programs;
    for (const auto& group : all)
        programs.insert(group.stack.program);
    if (all.empty()) return {"no rank runs there"};
    std::vector<std::string> lines{counted(groups.all_ranks().size(), "rank") + " in " +
                                   counted(all.size(), "group")};
    for (const auto& group : all)
        lines.push_back(text_of(group, programs.size() > 1));
    return lines;
}

}  // namespace launch
