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

/// What a process asks for that wants more processes started (MPI_Comm_spawn_multiple).
struct SpawnOrder {
    struct Program {
        std::vector<std::string> argv;
        uint32_t ranks = 0;
        std::vector<std::string> env;  ///< "NAME=VALUE", on top of the job's
        SpawnPairs info;               ///< MPI's info keys: host, wdir, ...

        bool operator==(const Program&) const = default;
    };
    std::vector<Program> programs;
    /// What the new processes find in their key-value space from the beginning (PMI's preput).
    SpawnPairs cards;

    bool operator==(const SpawnOrder&) const = default;
};

/// Longer ones are refused where they are asked: they travel to the head, which is one for all.
inline constexpr size_t most_spawn_bytes = 1U << 20;

/// From a node to the head: a rank there wants processes.
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
    std::string job_id;            ///< of the new processes; empty: there are none
    uint32_t ranks = 0;            ///< that were asked for
    std::vector<uint32_t> failed;  ///< which of them could not start
    std::string why;               ///< there are none

    bool ok() const { return !job_id.empty(); }
    std::string encode() const;
    static std::optional<SpawnedMessage> decode(std::string_view payload);
    bool operator==(const SpawnedMessage&) const = default;
};

/// Who asked for a job's processes, in what each of its nodes is told of it.
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
