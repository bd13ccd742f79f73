// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "core/base/error.hpp"

namespace launch {

/// The kind of a frame. Down: from a parent to its child; up: the other way; to all: from the head
/// down to every node, numbered (Broadcast). The body of a frame that belongs to a job begins with
/// the job's number, see wire/job_text.hpp.
enum class FrameType : uint8_t {
    hello = 1,      ///< both ways, first: who speaks (Hello)
    job,            ///< down: a job begins (JobStart)
    subtree,        ///< down, first: the tree, and the child's part of it (SubtreeMessage)
    nodes_up,       ///< up: these nodes run (NodesMessage)
    failure,        ///< up: a node could not be started or was lost (FailureMessage)
    exits,          ///< up: how ranks ended (ExitsMessage)
    notice,         ///< up: something a user should know (NoticeMessage)
    output,         ///< up, data: what a rank wrote (OutputMessage)
    input,          ///< down, data: what the head read on its stdin (InputPiece)
    input_wanted,   ///< up: how far input may come (InputGrant)
    input_refused,  ///< up: nobody below reads input any more
    credit,         ///< both ways: so many more data bytes may be sent (number)
    signal,         ///< to all: deliver to every rank, or to some (SignalMessage)
    window,         ///< to all: the size of the user's terminal (number: rows << 16 | columns)
    terminate,      ///< to all: end all ranks (number: grace in ms before SIGKILL)
    finish,         ///< to all: the job is over; clean up and leave
    ping,           ///< both ways: I am here (PingMessage)
    pause,          ///< to all: the head will be stopped (SIGTSTP): no death (number, unused)
    modex,          ///< both ways: between the modex servers of the two nodes
    fault,          ///< up: a rank aborted the job or broke a protocol (FaultMessage)
    moved,          ///< both ways, last on its stream: what follows comes over the direct link
    attach,         ///< up, first on a link that takes a broken one's place (AttachMessage)
    attached,       ///< down: its answer (AttachedMessage)
    resend,         ///< down: a link broke; tell again what the head has not confirmed
    ack,            ///< down, to one node: the head has taken its reports (AckMessage)
    segment,        ///< down, data: of the files to stage (SegmentMessage)
    stage_wanted,   ///< up: so much of them may come (WantedMessage)
    staged,         ///< up: all files are on the node (StagedMessage)
    bye,            ///< up, last: the sender leaves, nothing of its subtree is left
    stats,          ///< up: what a node has cost (NodeStats), when it leaves
    assignment,  ///< down, once: a job's ranks, where they did not come with it (AssignmentMessage)
    released,    ///< down, to who was above them: these have another parent (MovedMessage)
    gained,      ///< up: these are below the sender now, wherever they were (MovedMessage)
    contacts,    ///< up: where nodes take direct links (ContactsMessage)
    routes,      ///< to all: the nodes of the routing tree (RoutesMessage)
    routed,      ///< up: where in the routing tree the sender is now (RoutedMessage)
    want_contacts,  ///< to all: tell where you take direct links (number, unused)
    peer,           ///< between the modex servers of two nodes that are no neighbours in the tree
    start_ranks,    ///< to all: all are ready, ranks start (number: a StartWord)
    unready,        ///< up, before nodes_up: ranks cannot start on a node (UnreadyMessage); of a
                    ///< job that begins on a tree which runs: they can, where nothing stands in it
    refused,        ///< up: a node cannot take part in such a job (FailureMessage)
    dismissed,      ///< down: another relay runs in your place; clean up and leave
    end_job,        ///< to all: one job is over, the tree stays (number, unused)
    survey,         ///< to all: a question about a job's ranks (SurveyOrder)
    surveyed,       ///< up, to the parent: the answer of all below (SurveyMessage)
    spawn,          ///< up: a rank wants more processes (SpawnMessage)
    spawned,        ///< to all: the answer (SpawnedMessage)
    grow,           ///< down: these nodes are to be below the receiver (GrowMessage)
    remove,         ///< to all: these nodes leave the tree (RemoveMessage)
    left,           ///< up: they have (NodesMessage)
    session_state,  ///< a session to its client (SessionState)
    session_request,  ///< a client to its session (SessionRequest)
    session_answer,   ///< a session to its client (SessionAnswer)
    starts,           ///< up: how far a node is with those that it starts (StartsMessage)
    costs,            ///< up, before their exits: what ranks have cost (CostsMessage)
    last = costs,
};

/// It goes from the head to all nodes.
bool is_broadcast(FrameType type);
/// It belongs to a job, and the number of that is before its body; of all that is left it is the
/// tree's own.
bool is_of_job(FrameType type);
std::string_view name_of(FrameType type);
/// "a malformed message (NAME)"
std::string malformed(FrameType type);

struct Frame {
    FrameType type{};
    std::string payload;
};

/// No frame is longer than this; a longer one announced by a peer is a fault, not an allocation.
inline constexpr uint32_t max_frame = 64u << 20;
/// A data frame (output, input) carries at most this many bytes.
inline constexpr uint32_t max_data = 64u << 10;

/// The bytes that start a link in each direction. A remote shell may print something before them (a
/// profile, a banner); that noise is skipped.
inline constexpr std::string_view link_magic{"\x01\x7f\r\nlaunch-link\n\x02", 17};
/// A link whose first bytes hold no magic after so much is not ours.
inline constexpr size_t max_noise = 64u << 10;

/// Bytes of a frame before its payload.
inline constexpr size_t frame_head = 5;

/// The length of a frame's payload, by its head.
uint32_t payload_length(std::string_view head);

/// Appends the frame to `out`: u32 little-endian payload length, u8 type, payload.
void encode_frame(FrameType type, std::string_view payload, std::string& out);

/// Takes bytes as they come and gives frames: sans I/O. Memory is bounded by max_frame.
class FrameParser {
  public:
    void feed(std::string_view bytes);
    /// The next whole frame, none yet, or an Error: the peer does not speak our protocol.
    Result<std::optional<Frame>> next();
    /// The bytes before the magic, or instead of it: about max_noise bytes at most.
    std::string noise() const { return greeted_ ? noise_ : noise_ + buffer_; }
    bool greeted() const { return greeted_; }

  private:
    bool skip_noise();

    std::string buffer_;
    size_t begin_ = 0;
    std::string noise_;
    bool greeted_ = false;
};

}  // namespace launch
