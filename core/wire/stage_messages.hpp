// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "core/base/codec.hpp"
#include "core/job/stage_spec.hpp"

namespace launch {

/// Messages of staging between nodes, see core/stage/README.md. Encoded like those of messages.hpp.

void encode_stage(Encoder& out, const StageSpec& stage);
StageSpec decode_stage(Decoder& in);

/// Down, data: a piece of the job's files.
struct SegmentMessage {
    uint64_t number = 0;    ///< see core/stage/segments.hpp
    uint64_t checksum = 0;  ///< with a file's last segment: that of the whole file
    std::string_view bytes;

    std::string encode() const;
    /// `bytes` points into the payload.
    static std::optional<SegmentMessage> decode(std::string_view payload);
};

/// Up: which segments may come.
struct WantedMessage {
    uint64_t next = 0;     ///< all before it have come
    uint64_t limit = 0;    ///< none from this one on may come yet
    bool restart = false;  ///< what was on its way may be lost: go on from `next`

    std::string encode() const;
    static std::optional<WantedMessage> decode(std::string_view payload);
    bool operator==(const WantedMessage&) const = default;
};

}  // namespace launch
