// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace launch {

/// Standard input on its way to the ranks of a job. Each piece has its position in the whole
/// stream, so that a node that moves to another parent continues where it was.

/// Down: what the head has read.
struct InputPiece {
    uint64_t offset = 0;
    std::string_view bytes;  ///< empty: the end is here

    uint64_t end() const { return offset + bytes.size(); }
    std::string encode() const;
    /// `bytes` points into the payload.
    static std::optional<InputPiece> decode(std::string_view payload);
};

/// Bytes that a rank asks for ahead of those it has taken. No node is asked for more than that many
/// beyond the position that all nodes below it have.
inline constexpr uint64_t input_window = 256u << 10;

/// Up: how far the input has come, and how far it may come.
struct InputGrant {
    uint64_t had = 0;  ///< the sender has all before, and so have all below it that read
    uint64_t granted = 0;

    std::string encode() const;
    static std::optional<InputGrant> decode(std::string_view payload);
    bool operator==(const InputGrant&) const = default;
};

}  // namespace launch
