// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <random>
#include <string>

#include "core/link/bounds.hpp"
#include "tests/unit/core/harness/cable.hpp"

namespace launch {

/// All that is left to chance in a simulation, by its seed.
class Chance {
  public:
    explicit Chance(uint32_t seed) : random_(seed) {}

    /// A number below the limit.
    uint32_t draw(size_t limit) { return static_cast<uint32_t>(random_() % limit); }
    bool one_of(size_t count) { return draw(count) == 0; }
    /// The name of a tree's shape.
    std::string some_tree();
    /// The quality of a cable: each kind of network has another fault, or none.
    LinkQuality some_quality(uint32_t kind);
    static constexpr uint32_t network_kinds = 4;
    /// Its cables carry a few bytes at a time, and each time is an event: much takes for ever.
    static constexpr uint32_t in_pieces = 2;
    static constexpr uint32_t usual_lines = 40;
    /// The most lines that a rank is to write at a time. One of so many times they are more than
    /// may be on their way at once, except in pieces.
    uint32_t most_lines(uint32_t kind, size_t times);
    /// So little room that much output would take for ever.
    Bounds little_room();

  private:
    std::mt19937 random_;
};

}  // namespace launch
