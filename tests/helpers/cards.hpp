// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>

/// The card with which a test's rank makes itself known: differs in every byte from its
/// neighbours'.
inline std::string card(int rank, int number, int round, size_t size) {
    static constexpr char letters[] =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789=:;,./-+*#@!";
    std::string text =
        std::to_string(rank) + "/" + std::to_string(number) + "/" + std::to_string(round) + "/";
    uint32_t state = static_cast<uint32_t>(rank * 7919 + number * 104729 + round * 1299709 + 1);
    while (text.size() < size) {
        state = state * 1664525U + 1013904223U;
        text.push_back(letters[(state >> 16) % (sizeof letters - 1)]);
    }
    text.resize(size);
    return text;
}
