// SPDX-License-Identifier: MIT
#include "cmd/render/stats_text.hpp"

#include <algorithm>

#include "cmd/render/json.hpp"
#include "cmd/render/text_parts.hpp"
#include "core/base/counted.hpp"

namespace launch {
namespace {

constexpr std::array<const char*, frame_kinds> kind_names{"control", "output", "input",
                                                          "modex",   "files",  "upkeep"};

constexpr std::array<const char*, job_phases> phase_names{"start", "place", "run", "end"};

std::string host_of(const JobStats& stats, NodeIndex node) {
    return node == 0 || node > stats.hosts.size() ? "head" : stats.hosts[node - 1];
}

template <class F>
const NodeStats& most(const std::vector<NodeStats>& nodes, F f) {
    return *std::max_element(nodes.begin(), nodes.end(),
                             [&](const auto& a, const auto& b) { return f(a) < f(b); });
}

template <class F>
uint64_t sum(const std::vector<NodeStats>& nodes, F f) {
    uint64_t total = 0;
    for (const NodeStats& node : nodes)
        total += f(node);
    return total;
}

/// "3 KiB, at most 1 KiB by n1": all nodes together, and the node with the most.
template <class F>
std::string bytes_text(const JobStats& stats, F bytes) {
    const NodeStats& top = most(stats.nodes, bytes);
    const std::string all = size_text(sum(stats.nodes, bytes));
    if (bytes(top) == 0) return all;
    return all + ", at most " + size_text(bytes(top)) + " by " + host_of(stats, top.node);
}

/// Empty where every host had launch.
std::string pushed_line(const JobStats& stats) {
    const auto bytes = [](const auto& n) { return n.pushed_bytes; };
    if (sum(stats.nodes, bytes) == 0) return {};
    const uint64_t hosts = sum(stats.nodes, [](const auto& n) { return uint64_t{n.pushed}; });
    return "launch itself was sent to " + counted(hosts, "host") + " (" + bytes_text(stats, bytes) +
           ")";
}

FrameCount sent_of_kind(const NodeStats& node, size_t kind) {
    return node.all_counts().sent[kind];
}

FrameCount sent_in(const NodeStats& node, size_t phase) {
    FrameCount all;
    for (const FrameCount& count : node.counts[phase].sent)
        all += count;
    return all;
}

/// Returns the messages of all nodes by part: "start 12 (3 KiB, at most 1 KiB by n1); ...".
/// `sent` returns the count of a node and a part.
template <class Names, class F>
std::string sent_line(const std::string& title, const JobStats& stats, const Names& names, F sent) {
    std::string line = title + ":";
    for (size_t part = 0; part < names.size(); ++part) {
        const auto frames = [&](const auto& n) { return sent(n, part).frames; };
        const auto bytes = [&](const auto& n) { return sent(n, part).bytes; };
        line += std::string(part > 0 ? "; " : " ") + names[part] + " " +
                std::to_string(sum(stats.nodes, frames)) + " (" + bytes_text(stats, bytes) + ")";
    }
    return line;
}

Json counts_json(const std::array<FrameCount, frame_kinds>& counts) {
    Json json;
    for (size_t kind = 0; kind < frame_kinds; ++kind)
        json[kind_names[kind]] = {{"frames", counts[kind].frames}, {"bytes", counts[kind].bytes}};
    return json;
}

Json node_json(const JobStats& stats, const NodeStats& node) {
    const LinkCounts all = node.all_counts();
    Json json = {{"node", node.node},
                 {"host", host_of(stats, node.node)},
                 {"links", node.links},
                 {"direct_links", node.direct_links},
                 {"attached", node.attached},
                 {"pushed", node.pushed},
                 {"pushed_bytes", node.pushed_bytes},
                 {"private_kib", node.private_kib},
                 {"proportional_kib", node.proportional_kib},
                 {"resident_kib", node.resident_kib},
                 {"cpu_us", node.cpu_us},
                 {"start_us", node.start_us},
                 {"up_us", node.up_us},
                 {"end_us", node.end_us},
                 {"sent", counts_json(all.sent)},
                 {"received", counts_json(all.received)}};
    for (size_t phase = 0; phase < job_phases; ++phase)
        json["phases"][phase_names[phase]] = {
            {"sent", counts_json(node.counts[phase].sent)},
            {"received", counts_json(node.counts[phase].received)}};
    return json;
}

/// "2.1 MiB private and 3.0 MiB proportional".
std::string memory_text(const NodeStats& node) {
    return size_text(node.private_kib * 1024) + " private and " +
           size_text(node.proportional_kib * 1024) + " proportional";
}

}  // namespace

std::vector<std::string> stats_lines(const JobStats& stats) {
    const NodeStats& head = stats.nodes.front();
    const std::vector<NodeStats> relays(stats.nodes.begin() + 1, stats.nodes.end());
    std::vector<std::string> lines;
    lines.push_back(std::to_string(relays.size()) + " relays; start " + time_text(stats.start_us) +
                    ", run " + time_text(stats.run_us) + ", end " + time_text(stats.end_us));
    const auto links = [](const auto& n) { return n.links; };
    const NodeStats& hub = most(stats.nodes, links);
    const uint64_t direct =
        sum(stats.nodes, [](const auto& n) { return uint64_t{n.direct_links}; }) / 2;
    lines.push_back("links of a node: at most " + std::to_string(hub.links) + " (" +
                    host_of(stats, hub.node) + "); direct links: " + std::to_string(direct) +
                    "; links made anew: " +
                    std::to_string(sum(stats.nodes, [](const auto& n) { return n.attached; })));
    if (const auto pushed = pushed_line(stats); !pushed.empty()) lines.push_back(pushed);
    const auto own_memory = [](const auto& n) { return n.private_kib; };
    const auto cpu = [](const auto& n) { return n.cpu_us; };
    std::string line = "head: " + memory_text(head) + ", " + time_text(head.cpu_us) + " CPU";
    if (!relays.empty()) {
        const NodeStats& largest = most(relays, own_memory);
        const NodeStats& busiest = most(relays, cpu);
        line += "; relays: at most " + memory_text(largest) + " (" + host_of(stats, largest.node) +
                "), " + time_text(sum(relays, cpu)) + " CPU together, at most " +
                time_text(busiest.cpu_us) + " (" + host_of(stats, busiest.node) + ")";
    }
    lines.push_back(line);
    lines.push_back(sent_line("sent by all", stats, kind_names, sent_of_kind));
    lines.push_back(sent_line("sent by phase", stats, phase_names, sent_in));
    return lines;
}

std::string stats_json(const JobStats& stats) {
    const auto make = [&](const NodeStats& node) { return node_json(stats, node); };
    return json_line({{"version", stats_version},
                      {"start_us", stats.start_us},
                      {"run_us", stats.run_us},
                      {"end_us", stats.end_us},
                      {"nodes", json_list(stats.nodes, make)}});
}

}  // namespace launch
