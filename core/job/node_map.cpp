#include "core/job/node_map.hpp"

#include "core/hosts/hostlist.hpp"
#include "core/wire/codec.hpp"

namespace launch {
namespace {

/// A node's ranks relative to where the node before it began: alike nodes give alike texts.
std::string relative(std::span<const RankRun> runs, uint32_t base) {
    Encoder out;
    out.number(runs.size());
    for (const RankRun& run : runs) {
        out.number(uint32_t{run.first - base}).number(run.count).number(run.stride);
        base = run.first;
    }
    return out.take();
}

bool read_node(std::string_view text, uint32_t base, std::vector<RankRun>& runs) {
    Decoder in(text);
    const uint32_t count = in.count();
    for (uint32_t i = 0; i < count && in.ok(); ++i) {
        base += in.number32();
        const uint32_t ranks = in.number32();
        const uint32_t stride = in.number32();
        if (stride == 0) in.fail();
        runs.push_back({base, ranks, stride});
    }
    return in.done();
}

}  // namespace

std::string encode_node_map(const std::vector<Host>& hosts, const Placement& placement) {
    Encoder out;
    out.text(fold_hosts(hosts));
    std::string before;
    uint64_t alike = 0;
    uint32_t base = 0;
    for (size_t i = 0; i < hosts.size(); ++i) {
        const auto runs = placement.node(i);
        std::string text = relative(runs, base);
        if (!runs.empty()) base = runs.front().first;
        if (alike > 0 && text == before) {
            ++alike;
            continue;
        }
        if (alike > 0) out.number(alike).text(before);
        before = std::move(text);
        alike = 1;
    }
    if (alike > 0) out.number(alike).text(before);
    return out.take();
}

std::optional<NodeMap> decode_node_map(std::string_view bytes) {
    Decoder in(bytes);
    auto hosts = parse_hosts(in.text());
    if (!hosts) return std::nullopt;
    NodeMap map;
    map.hosts = std::move(*hosts);
    uint32_t base = 0;
    while (in.ok() && !in.done()) {
        const uint64_t alike = in.number();
        const std::string_view text = in.text();
        if (alike > map.hosts.size() - map.ranks.size()) return std::nullopt;
        for (uint64_t i = 0; i < alike; ++i) {
            std::vector<RankRun> runs;
            if (!read_node(text, base, runs)) return std::nullopt;
            if (!runs.empty()) base = runs.front().first;
            map.ranks.push_back(std::move(runs));
        }
    }
    if (!in.ok() || map.ranks.size() != map.hosts.size()) return std::nullopt;
    return map;
}

}  // namespace launch
