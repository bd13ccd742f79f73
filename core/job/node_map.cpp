// SPDX-License-Identifier: MIT
#include "core/job/node_map.hpp"

#include "core/base/codec.hpp"
#include "core/hosts/hostlist.hpp"

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

/// Reads the ranks of nodes, of which there are so many in all.
class RunReader {
  public:
    explicit RunReader(uint32_t ranks) : ranks_(ranks), left_(ranks) {}

    /// Reads the ranks of the next node; false: the text has no more nodes.
    bool read(std::string_view text, std::vector<RankRun>& runs) {
        Decoder in(text);
        const uint32_t count = in.count();
        uint32_t base = base_;
        for (uint32_t i = 0; i < count && in.ok(); ++i) {
            RankRun run{};
            run.first = base += in.number32();
            run.count = in.number32();
            run.stride = in.number32();
            if (!take(run)) in.fail();
            runs.push_back(run);
        }
        if (!runs.empty()) base_ = runs.front().first;
        return in.done();
    }
    bool all() const { return left_ == 0; }

  private:
    bool take(const RankRun& run) {
        if (run.stride == 0 || run.count == 0 || run.count > left_) return false;
        left_ -= run.count;
        return run.first + uint64_t{run.count - 1} * run.stride < ranks_;
    }

    uint32_t ranks_;
    uint32_t left_;
    uint32_t base_ = 0;  ///< where the node before began
};

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

std::optional<NodeMap> decode_node_map(std::string_view bytes, uint32_t nodes, uint32_t ranks) {
    Decoder in(bytes);
    auto hosts = parse_hosts(in.text(), nodes);
    if (!hosts) return std::nullopt;
    NodeMap map;
    map.hosts = std::move(*hosts);
    RunReader reader(ranks);
    while (in.ok() && !in.done()) {
        const uint64_t alike = in.number();
        const std::string_view text = in.text();
        if (alike > map.hosts.size() - map.ranks.size()) return std::nullopt;
        for (uint64_t i = 0; i < alike; ++i) {
            std::vector<RankRun> runs;
            if (!reader.read(text, runs)) return std::nullopt;
            map.ranks.push_back(std::move(runs));
        }
    }
    if (!in.ok() || !reader.all() || map.ranks.size() != nodes) return std::nullopt;
    return map;
}

}  // namespace launch
