// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "modex/exchange/exchange.hpp"

namespace launch {

/// A sink that keeps the messages.
struct Kept : ExchangeSink {
    void to_parent(std::string message) override { up.push_back(*decode_exchange(message)); }
    void to_child(NodeIndex child, std::string message) override {
        down.emplace_back(child, *decode_exchange(message));
    }
    void to_peer(uint32_t number, std::string message) override {
        peers.emplace_back(number, *decode_exchange(message));
    }
    void peers_wanted() override { ++wanted; }
    void fence_done(Channel, std::string blob) override {
        ++fences;
        all = std::move(blob);
    }
    void group_done(const std::vector<uint32_t>&, const std::string&) override {}
    void answered(uint64_t ticket, bool found, const std::string&) override {
        answers.emplace_back(ticket, found);
    }
    void blob_wanted(uint32_t) override {}
    void event_told(const std::string&) override {}
    void ranks_died(const std::vector<uint32_t>&) override {}
    void fence_broken(uint32_t, uint32_t) override {}

    std::vector<ExchangeMessage> up;
    std::vector<std::pair<NodeIndex, ExchangeMessage>> down;
    std::vector<std::pair<uint32_t, ExchangeMessage>> peers;
    std::vector<std::pair<uint64_t, bool>> answers;
    uint32_t wanted = 0;  ///< peers
    uint32_t fences = 0;
    std::string all;  ///< what the last fence gave
};

}  // namespace launch
