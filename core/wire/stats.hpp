// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "core/topology.hpp"
#include "core/wire/frame.hpp"

namespace launch {

/// The purposes of frames, by which they are counted.
enum class FrameKind : uint8_t {
    control,  ///< the job itself: who runs what, who is up, how it ended, signals
    output,   ///< of ranks
    input,    ///< standard input, and who wants it
    modex,    ///< between the modex servers
    files,    ///< that are staged, and who wants them
    upkeep,   ///< of the links: credit, liveness, confirmation, moving, attaching
};
inline constexpr size_t frame_kinds = 6;
FrameKind kind_of(FrameType type);

struct FrameCount {
    uint64_t frames = 0;
    uint64_t bytes = 0;  ///< with the frame's head, before encryption

    FrameCount& operator+=(const FrameCount& other) {
        frames += other.frames;
        bytes += other.bytes;
        return *this;
    }
    bool operator==(const FrameCount&) const = default;
};

/// Traffic of one link, or of several.
struct LinkCounts {
    std::array<FrameCount, frame_kinds> sent;
    std::array<FrameCount, frame_kinds> received;

    LinkCounts& operator+=(const LinkCounts& other);
    /// `other` is an earlier count of the same.
    LinkCounts since(const LinkCounts& other) const;
    bool operator==(const LinkCounts&) const = default;
};

/// The phase of a job at a node.
enum class JobPhase : uint8_t {
    start,  ///< until all below are up, or have failed
    place,  ///< until ranks are placed, where they are not from the start
    run,
    end,  ///< from the order to leave
};
inline constexpr size_t job_phases = 4;

/// The cost of one node of the tree, reported when it leaves (--stats).
struct NodeStats {
    NodeIndex node = 0;
    uint32_t links = 0;         ///< to other nodes, the most at one time
    uint32_t direct_links = 0;  ///< of those, how many became direct ones
    uint32_t attached = 0;      ///< nodes that came back or came here when a link broke
    std::array<LinkCounts, job_phases> counts;
    uint32_t pushed = 0;            ///< hosts that it sent the executable
    uint64_t pushed_bytes = 0;      ///< of it that their streams took
    uint64_t private_kib = 0;       ///< at the end, of its own (Usage)
    uint64_t proportional_kib = 0;  ///< then, with its part of what processes share
    uint64_t resident_kib = 0;      ///< at most, with all of that
    uint64_t cpu_us = 0;            ///< of this process, without its ranks
    uint64_t start_us = 0;          ///< from its own start until it got its part of the tree
    uint64_t up_us = 0;             ///< from there until all below were up or had failed
    uint64_t end_us = 0;            ///< from the order to leave until it left

    LinkCounts all_counts() const;

    std::string encode() const;
    static std::optional<NodeStats> decode(std::string_view payload);
    bool operator==(const NodeStats&) const = default;
};

}  // namespace launch
