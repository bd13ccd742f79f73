// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/error.hpp"
#include "core/job/exit_status.hpp"
#include "core/job/job_hosts.hpp"
#include "core/job/job_spec.hpp"
#include "core/topology.hpp"
#include "core/wire/job_text.hpp"
#include "core/wire/spawn_messages.hpp"

namespace launch {

/// The payloads of the frames. Each has encode() and a decode() that yields nothing for bytes
/// that are not exactly one well-formed message.

/// First frame in both directions. Peers of different builds do not talk.
struct Hello {
    uint32_t version = current_version;
    std::string build_id;

    static constexpr uint32_t current_version = 1;
    std::string encode() const;
    static std::optional<Hello> decode(std::string_view payload);
};

/// The part of a job that is the same for every node. A relay forwards the bytes as they came; the
/// places of ranks come in a message of their own (JobPlacement).
struct JobMessage {
    std::string job_id;
    std::vector<Program> programs;
    Policies policies;  ///< those of the tree go with the tree (TreeMessage), not with this
    std::vector<std::string> env;
    RankLimits limits;
    std::string wdir;
    std::string log;            ///< the head's LAUNCH_LOG
    StageSpec stage;            ///< what nodes get before their ranks start
    bool on_hypercube = false;  ///< the tree that runs it is the spanning tree of a hypercube
    /// Ranks are placed when it is known which hosts are up; else their placement follows at once.
    bool placed_late = false;
    /// Ranks may start in the home folder of a host that lacks the job's: no host has it.
    bool may_leave_wdir = false;
    /// Bytes of output that a node may have on its way to who reads the job's, so that nothing else
    /// on the tree waits for a slow reader; 0: any, as nobody else is on the tree.
    uint64_t output_window = 0;
    JobOrigin origin;  ///< of processes that a rank asked for

    // Its placement, which is not encoded here.
    uint32_t ranks = 0;          ///< 0: not placed yet
    uint32_t nodes = 0;          ///< hosts with ranks
    uint32_t universe_size = 0;  ///< slots of all hosts
    JobHosts hosts;
    std::string node_map;          ///< hosts and ranks of all nodes, see core/job/node_map.hpp
    std::string process_mapping;   ///< PMI_process_mapping; empty: too long to say
    uint16_t rendezvous_port = 0;  ///< free on the first host; 0: not known yet, or not asked for

    /// Whether ranks start only when the head reports that everything is ready
    /// (FrameType::start_ranks). Ranks of a spawn always do, even on one host, because the parent
    /// gets a report whether they can start.
    bool starts_together() const {
        if (origin.is_spawned()) return true;
        return !placed_late && nodes > 1 && !policies.start_early;
    }

    std::string encode() const;
    static std::optional<JobMessage> decode(std::string_view payload);
};

struct NodesMessage {
    std::vector<NodeIndex> nodes;

    std::string encode() const;
    static std::optional<NodesMessage> decode(std::string_view payload);
};

struct FailureMessage {
    NodeIndex node = 0;
    bool was_up = false;           ///< it ran, and was lost
    std::vector<NodeRange> below;  ///< those that are lost with it
    Error error;
    /// Others below it are started anew by who tells this, as relays of the generation
    /// `restarted_as`.
    std::vector<NodeRange> restarted;
    uint32_t restarted_as = 0;
    /// The latest of the relays that this is about: one that has been started since at any of these
    /// nodes is not meant. See core/tree/generations.hpp.
    uint32_t generation = 0;
    /// Names of all that are lost, as the head of the tree tells them to jobs: some may have joined
    /// it as they ran. On the way there none.
    std::vector<std::string> hosts = {};

    /// The message names at most this many.
    static constexpr size_t most_names = 8192;
    /// All that are lost, the node first.
    std::vector<NodeRange> nodes() const {
        std::vector<NodeRange> all{{node, 1}};
        all.insert(all.end(), below.begin(), below.end());
        return all;
    }
    /// The message about those of its nodes that `keep` returns for a range of them, in the same
    /// order. Nothing: no node is left.
    std::optional<FailureMessage> only(
        const std::function<std::vector<NodeRange>(NodeRange)>& keep) const;
    NodeIndex count_below() const {
        NodeIndex count = 0;
        for (const NodeRange& range : below)
            count += range.count;
        return count;
    }

    std::string encode() const;
    static std::optional<FailureMessage> decode(std::string_view payload);
};

struct RankExit {
    uint32_t rank = 0;
    ExitStatus status;
    std::string detail;  ///< why, for a rank that is stuck or was not started; may be empty
};

struct ExitsMessage {
    std::vector<RankExit> exits;

    std::string encode() const;
    static std::optional<ExitsMessage> decode(std::string_view payload);
};

/// A node's report before it is up: programs whose ranks cannot start there, and the port that it
/// holds for --rendezvous.
struct UnreadyMessage {
    struct Program {
        uint32_t index = 0;  ///< among those of the job
        NotStarted why;
    };
    NodeIndex node = 0;
    std::vector<Program> programs;
    uint16_t port = 0;

    std::string encode() const;
    static std::optional<UnreadyMessage> decode(std::string_view payload);
};

/// A rank did what ends the job, other than by how its process ended.
struct FaultMessage {
    enum class Kind : uint8_t {
        aborted,     ///< it asked for the end of the job (MPI_Abort); value: its exit code
        protocol,    ///< it does not keep to the protocol that it speaks
        unfinished,  ///< it joined the others and left without a word (no MPI_Finalize)
        absent,      ///< it exited, and others wait for it in a fence; value: how many such ranks
        no_service,  ///< what it was to be offered is not to be had on its host
        no_file,     ///< its output cannot be written to its file there
        last = no_file,
    };
    uint32_t rank = 0;
    Kind kind = Kind::aborted;
    int32_t value = 0;
    std::string text;
    std::string hint;

    std::string encode() const;
    static std::optional<FaultMessage> decode(std::string_view payload);
};

/// Something that does not end the job. `text` is the same on every host that has it, so that
/// the head can fold them.
struct NoticeMessage {
    /// The subject of a notice, if a receiver handles it specially.
    enum class Topic : uint8_t {
        other,
        login_noise,  ///< a login shell printed something of its own
        direct_link,  ///< one to the node's parent did not come up, and the transport's does
        sent,         ///< launch was sent to the host
        last = sent,
    };
    NodeIndex node = 0;
    bool verbose_only = false;
    std::string text;
    Topic topic = Topic::other;
    JobNumber job = all_jobs;  ///< whose it is; all: the tree's
    /// The node's name, as the head of the tree tells it to jobs; not of ranks at the head itself.
    std::string host = {};

    std::string encode() const;
    static std::optional<NoticeMessage> decode(std::string_view payload);
};

enum class Stream : uint8_t {
    out = 1,
    err = 2,
    end = 3,  ///< of all output: the job's part at a node has ended
    ask = 4,  ///< no output: the node wants the number of bytes read again (AckMessage::read)
};

/// The head of an output frame; the written bytes follow.
struct OutputMessage {
    uint32_t rank = 0;  ///< with Stream::end and Stream::ask none
    Stream stream = Stream::out;
    std::string_view bytes;

    std::string encode() const;
    /// Encodes as wrap_job() does, without a copy of the bytes.
    std::string encode_for(JobNumber job) const;
    /// `bytes` points into the payload.
    static std::optional<OutputMessage> decode(std::string_view payload);
};

/// A single number as payload (credit, signal, terminate).
std::string encode_number(uint64_t value);
std::optional<uint64_t> decode_number(std::string_view payload);

}  // namespace launch
