// SPDX-License-Identifier: MIT
#include "tests/unit/core/harness/talk.hpp"

#include <sstream>
#include <vector>

namespace launch {
namespace {

using Words = std::vector<std::string>;

std::string word(int way, int number) {
    return std::to_string(way) + " " + std::to_string(number);
}

Words split(const std::string& text) {
    std::istringstream in(text);
    Words lines;
    for (std::string line; std::getline(in, line);)
        lines.push_back(line);
    return lines;
}

/// Nothing came before what was said before it.
bool in_order(const Words& words) {
    std::map<int, int> next;
    for (const std::string& each : words) {
        std::istringstream in(each);
        int way = 0;
        int number = 0;
        in >> way >> number;
        if (number != next[way]++) return false;
    }
    return true;
}

/// Empty: all that was said on that way has arrived, once and in order.
std::string missing(const char* what, Words arrived, int way, int said) {
    const std::string begin = std::to_string(way) + " ";
    std::erase_if(arrived, [&](const std::string& each) { return !each.starts_with(begin); });
    Words all;
    for (int number = 0; number < said; ++number)
        all.push_back(word(way, number));
    if (arrived == all) return {};
    std::string text = std::string("lacks ") + what + ": " + std::to_string(said) + " said, of";
    for (const std::string& each : arrived)
        text += " " + each + ",";
    return text + " arrived";
}

template <class Map>
auto value_of(const Map& map, const typename Map::key_type& key) {
    const auto at = map.find(key);
    return at == map.end() ? typename Map::mapped_type() : at->second;
}

}  // namespace

int Talk::life_of(NodeIndex node) const {
    return world_.network.running(node)->number;
}

/// A relay to its so-manieth parent.
int Talk::way_up(NodeIndex node) const {
    return life_of(node) * 1000 + world_.part(node)->parents;
}

/// A relay to a node that is its child for the so-manieth time.
int Talk::way_down(NodeIndex parent, NodeIndex child) const {
    const int life = parent == 0 ? 1 : life_of(parent);
    return (static_cast<int>(parent) * 100 + life) * 100 +
           value_of(world_.part(parent)->came, child);
}

void Talk::say(NodeIndex node, Kind kind) {
    FakeModex* const part = world_.part(node);
    if (part == nullptr || node == 0) return;
    const int life = life_of(node);
    Said& said = said_[{node, life}];
    if (kind == Kind::report) return part->host.modex_notice(word(life, said.reports++));
    if (!part->started_here) return;
    const int way = way_up(node);
    if (kind == Kind::up) return part->host.modex_up(word(way, ups_[{node, way}]++));
    // A host that joined after ranks were placed has none.
    if (node <= ranks_) part->host.modex_trace(rank_of(node), word(life, said.lines++));
}

void Talk::say_down(NodeIndex node, NodeIndex child) {
    FakeModex* const part = world_.part(node);
    if (part == nullptr || !part->started_here) return;
    const int way = way_down(node, child);
    part->host.modex_down(child, word(way, downs_[{child, way}]++));
}

std::string Talk::missing_of(NodeIndex node, NodeIndex parent) const {
    const int life = life_of(node);
    const Said said = value_of(said_, {node, life});
    std::string lacks = missing("reports", world_.job().notices[node], life, said.reports);
    if (lacks.empty())
        lacks = missing("output", split(world_.job().outputs[rank_of(node)]), life, said.lines);
    return lacks.empty() ? missing_between(node, parent) : lacks;
}

std::string Talk::missing_between(NodeIndex node, NodeIndex parent) const {
    const FakeModex& above = *world_.part(parent);
    const FakeModex& part = *world_.part(node);
    const auto last_is = [](const Words& words, int way, int said) {
        return said == 0 || (!words.empty() && words.back() == word(way, said - 1));
    };
    const int up = way_up(node);
    const int way = way_down(parent, node);
    if (!last_is(value_of(above.from_below, node), up, value_of(ups_, {node, up})))
        return "was not heard by its parent";
    if (!last_is(part.from_above, way, value_of(downs_, {node, way})))
        return "has not heard its parent";
    return {};
}

std::string Talk::disorder(NodeIndex nodes) const {
    for (NodeIndex node = 0; node <= nodes; ++node) {
        const std::string whose = "node " + std::to_string(node) + ": ";
        if (!in_order(world_.job().notices[node])) return whose + "reports in disorder";
        if (node > 0 && !in_order(split(world_.job().outputs[rank_of(node)])))
            return whose + "output in disorder";
        const FakeModex* part = world_.part(node);
        if (part == nullptr) continue;
        if (!in_order(part->from_above)) return whose + "disorder from above";
        for (const auto& [child, words] : part->from_below)
            if (!in_order(words)) return whose + "disorder from below";
    }
    return {};
}

}  // namespace launch
