// SPDX-License-Identifier: MIT
#include "core/head/output_gather.hpp"

#include <algorithm>
#include <set>
#include <tuple>
#include <utility>

#include "core/io/line_assembler.hpp"

namespace launch {
namespace {

/// About what a line costs besides its bytes, and a place in the tree.
constexpr size_t cost_of_line = 100;
constexpr size_t cost_of_place = 64;

/// Whether a goes before b.
bool is_larger(const GatheredGroup& a, const GatheredGroup& b) {
    return std::make_tuple(b.ranks.size(), a.ranks.front()) <
           std::make_tuple(a.ranks.size(), b.ranks.front());
}

}  // namespace

void OutputGather::go(Cursor& cursor, std::string_view line) {
    const auto number = static_cast<uint32_t>(lines_.size());
    const auto [entry, fresh] = line_numbers_.emplace(line, number);
    if (fresh) {
        lines_.push_back(&entry->first);
        held_ += line.size() + cost_of_line;
    }
    const uint64_t branch = uint64_t{cursor.place} << 32 | entry->second;
    const auto [place, grown] = branches_.emplace(branch, static_cast<Place>(steps_.size()));
    if (grown) {
        steps_.push_back({cursor.place, entry->second});
        held_ += cost_of_place;
    }
    cursor.place = place->second;
}

bool OutputGather::feed(RankOfSpace rank, Stream stream, std::string_view bytes) {
    Cursor& cursor = cursors_[key_of(rank, stream)];
    while (!bytes.empty()) {
        // Long lines are cut at the same places, however they come.
        const size_t room = max_line - cursor.partial.size();
        const size_t end = std::min({bytes.find('\n', 0), bytes.size() - 1, room - 1}) + 1;
        const bool whole = bytes[end - 1] == '\n' || end == room;
        held_ -= cursor.partial.size();
        cursor.partial.append(bytes.substr(0, end));
        bytes.remove_prefix(end);
        if (whole) go(cursor, std::exchange(cursor.partial, {}));
        held_ += cursor.partial.size();
    }
    return held_ <= limit_;
}

std::string OutputGather::text_at(const Cursor& cursor) const {
    std::vector<uint32_t> path;
    for (Place at = cursor.place; at != root; at = steps_[at].from)
        path.push_back(steps_[at].line);
    std::string text;
    for (auto line = path.rbegin(); line != path.rend(); ++line)
        text += *lines_[*line];
    return text + cursor.partial;
}

std::string OutputGather::text_of(RankOfSpace rank, Stream stream) const {
    const auto found = cursors_.find(key_of(rank, stream));
    return found == cursors_.end() ? std::string() : text_at(found->second);
}

std::vector<std::pair<RankOfSpace, Stream>> OutputGather::writers() const {
    std::vector<std::pair<RankOfSpace, Stream>> found;
    for (const auto& [key, cursor] : cursors_)
        found.emplace_back(key.first, key.second ? Stream::err : Stream::out);
    return found;
}

std::vector<GatheredGroup> OutputGather::groups_of(Stream stream) const {
    using Sort = std::tuple<Place, std::string, int, int, int>;
    std::map<Sort, GatheredGroup> groups;
    const Cursor nothing;
    const auto add = [&](RankOfSpace rank, const std::string& host) {
        const auto found = cursors_.find(key_of(rank, stream));
        const Cursor& cursor = found == cursors_.end() ? nothing : found->second;
        const auto end = ends_.find(rank);
        Sort sort{cursor.place, cursor.partial, -1, 0, 0};
        if (end != ends_.end()) {
            std::get<2>(sort) = static_cast<int>(end->second.kind);
            std::get<3>(sort) = end->second.value;
            std::get<4>(sort) = static_cast<int>(end->second.stage);
        }
        GatheredGroup& group = groups[sort];
        if (group.ranks.empty()) {
            group.text = text_at(cursor);
            if (end != ends_.end()) group.status = end->second;
        }
        group.ranks.push_back(rank);
        group.hosts.push_back(host);
    };
    for (const auto& [space, hosts] : hosts_)
        for (uint32_t rank = 0; rank < hosts.size(); ++rank)
            add({space, rank}, hosts[rank]);
    std::vector<GatheredGroup> sorted;
    for (auto& [sort, group] : groups)
        sorted.push_back(std::move(group));
    std::sort(sorted.begin(), sorted.end(), is_larger);
    return sorted;
}

GatheredOutput OutputGather::groups() const {
    GatheredOutput made;
    made.out = groups_of(Stream::out);
    made.err = groups_of(Stream::err);
    std::set<std::string> hosts;
    size_t ranks = 0;
    for (const auto& group : made.out) {
        made.exits_differ = made.exits_differ || group.status != made.out.front().status;
        hosts.insert(group.hosts.begin(), group.hosts.end());
        ranks += group.ranks.size();
    }
    made.one_rank_a_host = hosts.size() == ranks;
    return made;
}

}  // namespace launch
