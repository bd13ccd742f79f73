// SPDX-License-Identifier: MIT
#include "modex/mapping/process_mapping.hpp"

#include <cstdint>
#include <vector>

namespace launch {
namespace {

/// A job with more ranks gets no mapping: what is needed to find it grows with the ranks.
constexpr uint32_t most_ranks = 1U << 22;

/// Consecutive ranks on one node, as many as there are.
struct Block {
    uint32_t node;
    uint32_t ranks;

    bool operator==(const Block&) const = default;
};

struct Triple {
    uint32_t node;
    uint32_t nodes;
    uint32_t ranks;
};

std::vector<Block> blocks_of(const Placement& placement) {
    std::vector<Block> blocks;
    for (const uint32_t node : placement.nodes_by_rank()) {
        if (blocks.empty() || blocks.back().node != node) blocks.push_back({node, 0});
        ++blocks.back().ranks;
    }
    return blocks;
}

/// borders[n]: the most blocks, below n, that the first n both begin and end with.
std::vector<std::size_t> borders_of(const std::vector<Block>& blocks, std::size_t size) {
    std::vector<std::size_t> borders(size + 1, 0);
    for (std::size_t n = 1; n < size; ++n) {
        std::size_t border = borders[n];
        while (border > 0 && !(blocks[border] == blocks[n]))
            border = borders[border];
        borders[n + 1] = border + (blocks[border] == blocks[n] ? 1 : 0);
    }
    return borders;
}

/// After how many blocks all that follows is those blocks over and over. The last block of all may
/// be cut short: no rank is left by then.
std::size_t period_of(const std::vector<Block>& blocks) {
    // MPICH starts over with the first triple on node 0, whatever stands before it.
    if (blocks.empty() || blocks[0].node != 0) return blocks.size();
    const std::size_t last = blocks.size() - 1;
    if (last == 0) return 1;
    const auto borders = borders_of(blocks, last);
    for (std::size_t border = borders[last];; border = borders[border]) {
        const Block& whole = blocks[border];
        if (whole.node == blocks[last].node && whole.ranks >= blocks[last].ranks)
            return last - border;
        if (border == 0) return blocks.size();
    }
}

std::vector<Triple> triples_of(const std::vector<Block>& blocks) {
    std::vector<Triple> triples;
    const std::size_t period = period_of(blocks);
    for (std::size_t i = 0; i < period; ++i) {
        const Block& block = blocks[i];
        const bool joins = !triples.empty() && triples.back().ranks == block.ranks &&
                           triples.back().node + triples.back().nodes == block.node;
        if (joins) {
            ++triples.back().nodes;
        } else {
            triples.push_back({block.node, 1, block.ranks});
        }
    }
    return triples;
}

}  // namespace

std::string process_mapping(const Placement& placement, std::size_t limit) {
    if (placement.ranks() > most_ranks) return {};
    std::string text = "(vector";
    for (const auto& [node, nodes, ranks] : triples_of(blocks_of(placement))) {
        text += ",(" + std::to_string(node) + "," + std::to_string(nodes) + "," +
                std::to_string(ranks) + ")";
        if (text.size() >= limit) return {};
    }
    return text + ")";
}

}  // namespace launch
