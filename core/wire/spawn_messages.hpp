// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/topology.hpp"

namespace launch {

/// Names with values, in the order in which they were given.
using SpawnPairs = std::vector<std::pair<std::string, std::string>>;

/// A key of our own beside MPI's info keys, for what PMIx calls "stop on exec" and "stop in init".
namespace hold_key {
inline constexpr std::string_view name = "stop-for-debugger";
inline constexpr std::string_view at_exec = "at-exec";
inline constexpr std::string_view in_init = "in-init";
}  // namespace hold_key

/// A process's request to the head: to start more processes (MPI_Comm_spawn_multiple), or for
/// something else that only the head can do or know.
struct SpawnOrder {
    enum class Kind : uint8_t {
        spawn,
        grow,     ///< `hosts` are to be part of the job
        release,  ///< `hosts` are to be so no more
        event,    ///< what has happened to the job; answered when something has
        ranks,    ///< which of its ranks run; answered by a SurveyMessage
        last = ranks,
    };
    struct Program {
        std::vector<std::string> argv;
        uint32_t ranks = 0;
        std::vector<std::string> env;  ///< "NAME=VALUE", on top of the job's
        SpawnPairs info;               ///< MPI's info keys: host, wdir, ...

        bool operator==(const Program&) const = default;
    };
    std::vector<Program> programs;
    /// The initial contents of the new processes' key-value space (PMI's preput).
    SpawnPairs cards;
    Kind kind = Kind::spawn;
    std::string hosts;     ///< a host list
    uint64_t since = 0;    ///< the first event that has a higher number
    uint32_t wait_ms = 0;  ///< for an event; until_it_comes: as long as the job runs

    static constexpr uint32_t until_it_comes = UINT32_MAX;

    bool operator==(const SpawnOrder&) const = default;
};

/// Longer ones are refused where they are asked: they travel to the head, which is one for all.
inline constexpr size_t most_spawn_bytes = 1U << 20;

/// From a node to the head: a rank there wants something.
struct SpawnMessage {
    NodeIndex node = 0;
    uint64_t ticket = 0;  ///< of the node's, for the answer
    uint32_t rank = 0;
    SpawnOrder order;

    std::string encode() const;
    static std::optional<SpawnMessage> decode(std::string_view payload);
    bool operator==(const SpawnMessage&) const = default;
};

/// The answer, told to all nodes.
struct SpawnedMessage {
    NodeIndex node = 0;  ///< whose rank asked
    uint64_t ticket = 0;
    std::string text;    ///< the id of the new processes' job; an event, in its words; ranks
    uint32_t ranks = 0;  ///< that were asked for
    std::vector<uint32_t> failed;  ///< which of them could not start
    std::string why;               ///< it was not done; else empty

    bool ok() const { return why.empty(); }
    std::string encode() const;
    static std::optional<SpawnedMessage> decode(std::string_view payload);
    bool operator==(const SpawnedMessage&) const = default;
};

/// The parent of a job's processes, as each of the job's nodes knows it.
struct JobOrigin {
    uint32_t space = 0;  ///< among those of a job, in the order they were asked for; 0: the job
    std::string parent;  ///< the id of the asker's
    uint32_t rank = 0;   ///< the asker's
    SpawnPairs cards;    ///< see SpawnOrder

    bool is_spawned() const { return space > 0; }
    bool operator==(const JobOrigin&) const = default;
};

class Encoder;
class Decoder;
void encode_origin(Encoder& out, const JobOrigin& origin);
JobOrigin decode_origin(Decoder& in);

}  // namespace launch
