// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "tests/unit/modex/exchange/simulation.hpp"

namespace launch {

/// Writes down what the exchanges of a simulation say.
struct Recorder : SimulationEvents {
    struct Reply {
        bool found = false;
        std::string value;
        bool operator==(const Reply&) const = default;
    };

    void fence_done(NodeIndex node, Channel, const std::string& blob) override {
        ++fences[node];
        blobs[node] = blob;
    }
    void group_done(NodeIndex node, const std::vector<uint32_t>&,
                    const std::string& blob) override {
        groups[node] = blob;
    }
    void answered(uint64_t ticket, bool found, const std::string& value) override {
        ++answers;
        replies[ticket] = {found, value};
    }
    void blob_wanted(NodeIndex node, uint32_t owner) override { wanted.emplace_back(node, owner); }
    void event_told(NodeIndex node, const std::string& data) override {
        events[node].push_back(data);
    }
    void ranks_died(NodeIndex node, const std::vector<uint32_t>& ranks) override {
        deaths[node].insert(deaths[node].end(), ranks.begin(), ranks.end());
    }
    void fence_broken(uint32_t rank, uint32_t absent) override {
        broken.emplace_back(rank, absent);
    }

    std::map<NodeIndex, uint32_t> fences;
    std::map<NodeIndex, std::string> blobs;
    std::map<NodeIndex, std::string> groups;
    std::map<uint64_t, Reply> replies;
    uint64_t answers = 0;
    std::vector<std::pair<NodeIndex, uint32_t>> wanted;
    std::map<NodeIndex, std::vector<std::string>> events;
    std::map<NodeIndex, std::vector<uint32_t>> deaths;
    std::vector<std::pair<uint32_t, uint32_t>> broken;
};

}  // namespace launch
