// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/topology.hpp"
#include "core/wire/contact.hpp"
#include "core/wire/job_text.hpp"

namespace launch {

/// Messages by which links outlive what carries them. As those of messages.hpp.

/// Precedes the body of every report (a frame for the head): the origin, and the report's number
/// among the origin's reports of the same class. Reports travel in order, so the head, and every
/// node on the way, can skip those that it has when an origin resends all.
struct ReportHeader {
    NodeIndex origin = 0;
    uint64_t number = 0;  ///< from 1

    bool operator==(const ReportHeader&) const = default;
};

/// Control reports overtake output, so each class has numbers of its own.
enum class ReportClass : uint8_t { control = 0, output = 1 };

std::string wrap_report(ReportHeader header, std::string_view body);

struct Report {
    ReportHeader header;
    std::string_view body;  ///< points into the payload
};
std::optional<Report> unwrap_report(std::string_view payload);

/// Down to one origin: the head has taken its reports up to these numbers.
struct AckMessage {
    NodeIndex origin = 0;
    uint64_t control = 0;
    uint64_t output = 0;
    JobNumber job = all_jobs;  ///< the job whose reader has read output; all_jobs: no job
    uint64_t read = 0;         ///< how much of the origin's, see OutputAccount::read()

    std::string encode() const;
    static std::optional<AckMessage> decode(std::string_view payload);
};

/// The numbers of frames that one side has received from the other, see
/// core/link/neighbour_channel.hpp.
struct ReceivedCount {
    uint64_t control = 0;
    uint64_t data = 0;

    bool operator==(const ReceivedCount&) const = default;
};

/// Liveness, and what a neighbour needs to know now and then.
struct PingMessage {
    bool starting = false;  ///< hosts are still being started: silence is more likely haste
    ReceivedCount received;
    /// Up: the number of the last Broadcast that the sender and all nodes below it have heard.
    uint64_t heard = 0;
    /// Up: the sender, or a node below it, has cleaned up, and leaves when the head has confirmed
    /// all its reports.
    bool waits_for_head = false;

    std::string encode() const;
    static std::optional<PingMessage> decode(std::string_view payload);
};

/// A message of the head to every node, once and in order; see core/link/broadcast_log.hpp.
struct Broadcast {
    uint64_t number = 0;    ///< of what the head has told all, from 1
    std::string_view body;  ///< points into the payload
};
std::string wrap_broadcast(const Broadcast& message);
std::optional<Broadcast> unwrap_broadcast(std::string_view payload);

/// Up: the sender asks for a place below who reads it. First on a link that takes the place of one
/// that broke, or leads to another parent; or in the middle of the link that it has, where it is to
/// keep that.
struct AttachMessage {
    NodeIndex node = 0;  ///< who speaks
    NodeIndex size = 1;  ///< nodes of its block
    /// From this very parent; nothing: it has another one, or none.
    std::optional<ReceivedCount> received;
    uint64_t heard = 0;       ///< the number of the last Broadcast
    bool rerouted = false;    ///< it asks for its place in the routing tree
    uint32_t generation = 0;  ///< of the node's relay, see core/tree/generations.hpp
    /// The nodes that it has below it, with those that were lost there. A node of its block that is
    /// not among them has another parent.
    std::vector<NodeRange> below = {};
    uint32_t count = 0;  ///< of `received`: the last AttachedMessage::count, before that 0

    std::string encode() const;
    static std::optional<AttachMessage> decode(std::string_view payload);
};

/// Down: the answer of a node that has a position itself. Other answers are FrameType::dismissed,
/// if another relay has been started in the asker's position, or a Broadcast that the asker must
/// know first, because FrameType::routes moves its position elsewhere. Messages that either side
/// has not received follow.
struct AttachedMessage {
    /// Nothing: none is known here of what was said before, and both sides number anew.
    std::optional<ReceivedCount> received;
    std::vector<Contact> ancestors;  ///< from now on; as in SubtreeMessage
    /// Names the count that both sides continue or begin. By this name an asker that calls again
    /// shows whether the answer came that began it.
    uint32_t count = 0;

    std::string encode() const;
    static std::optional<AttachedMessage> decode(std::string_view payload);
};

/// Nodes that have come to another parent, in one direction to who was above them, in the other to
/// who is now.
struct MovedMessage {
    /// The first of all is who came; the others came with it, so far as they were below it.
    std::vector<NodeRange> nodes;
    /// Upwards: so many messages of NeighbourChannels::control had come to the sender when it made
    /// this. Downwards it has no meaning.
    uint64_t received = 0;

    NodeIndex first() const { return nodes.front().first; }
    std::string encode() const;
    static std::optional<MovedMessage> decode(std::string_view payload);
};

}  // namespace launch
