// SPDX-License-Identifier: MIT
// A hostile peer: any bytes on a link. The first byte cuts the input into reads.
#include <algorithm>
#include <string_view>

#include "core/hosts/hostlist.hpp"
#include "core/wire/assignment.hpp"
#include "core/wire/callback_message.hpp"
#include "core/wire/frame.hpp"
#include "core/wire/growth_messages.hpp"
#include "core/wire/input_messages.hpp"
#include "core/wire/job_report.hpp"
#include "core/wire/link_messages.hpp"
#include "core/wire/messages.hpp"
#include "core/wire/route_messages.hpp"
#include "core/wire/session_messages.hpp"
#include "core/wire/signal_message.hpp"
#include "core/wire/spawn_messages.hpp"
#include "core/wire/stage_messages.hpp"
#include "core/wire/starts.hpp"
#include "core/wire/stats.hpp"
#include "core/wire/tree_message.hpp"
#include "tests/fuzz/allocation.hpp"
#include "tests/fuzz/targets.hpp"

namespace launch {
namespace {

using fuzz::AllocationLimit;
using fuzz::require;

/// Each reads it twice, and writes it.
constexpr size_t decoders = 34;

/// What decodes must encode to something that decodes to the same bytes.
template <class Message>
void round_trip(std::string_view payload) {
    const auto message = Message::decode(payload);
    if (!message) return;
    const std::string once = message->encode();
    const auto again = Message::decode(once);
    require(again && again->encode() == once, "read as written");
}

/// What goes through them one by one comes to an end, and divides by no zero.
void check_numbers(std::string_view payload) {
    if (const auto failure = FailureMessage::decode(payload))
        require(failure->count_below() <= max_hosts, "no more nodes than there can be");
    if (const auto assignment = AssignmentMessage::decode(payload))
        for (const auto& part : assignment->parts)
            for (const RankRun& run : part.runs)
                require(run.stride > 0, "a step");
}

void decode_all(std::string_view payload) {
    check_numbers(payload);
    // Of the tree, hosts are folded: its bytes say little of how many there are.
    round_trip<SubtreeMessage>(payload);
    AllocationLimit limit(decoders * fuzz::in_proportion(payload.size()));
    round_trip<Hello>(payload);
    round_trip<CallbackMessage>(payload);
    round_trip<JobMessage>(payload);
    round_trip<TreeMessage>(payload);
    round_trip<AssignmentMessage>(payload);
    round_trip<JobPlacement>(payload);
    if (const auto start = JobStart::decode(payload))
        require(JobStart::decode(start->encode())->job == start->job, "the same job");
    round_trip<NodesMessage>(payload);
    round_trip<FailureMessage>(payload);
    round_trip<ExitsMessage>(payload);
    round_trip<StagedMessage>(payload);
    round_trip<SurveyOrder>(payload);
    round_trip<SurveyMessage>(payload);
    round_trip<CostsMessage>(payload);
    round_trip<StartsMessage>(payload);
    round_trip<UnreadyMessage>(payload);
    round_trip<NoticeMessage>(payload);
    round_trip<FaultMessage>(payload);
    round_trip<OutputMessage>(payload);
    round_trip<InputPiece>(payload);
    round_trip<InputGrant>(payload);
    round_trip<SignalMessage>(payload);
    round_trip<SpawnMessage>(payload);
    round_trip<SpawnedMessage>(payload);
    round_trip<AckMessage>(payload);
    round_trip<PingMessage>(payload);
    if (const auto message = unwrap_broadcast(payload))
        require(unwrap_broadcast(wrap_broadcast(*message))->body == message->body,
                "the same again");
    round_trip<AttachMessage>(payload);
    round_trip<AttachedMessage>(payload);
    round_trip<SegmentMessage>(payload);
    round_trip<WantedMessage>(payload);
    round_trip<MovedMessage>(payload);
    round_trip<ContactsMessage>(payload);
    round_trip<RoutesMessage>(payload);
    round_trip<RoutedMessage>(payload);
    round_trip<NodeStats>(payload);
    round_trip<GrowMessage>(payload);
    round_trip<RemoveMessage>(payload);
    round_trip<SessionState>(payload);
    round_trip<SessionAnswer>(payload);
    if (const auto request = decode_session_request(payload))
        require(decode_session_request(encode(*request)).has_value(), "the same request");
    unwrap_report(payload);
    if (const auto text = unwrap_job(payload))
        require(unwrap_job(wrap_job(text->job, text->body))->body == text->body, "the same job");
    decode_number(payload);
    limit.check();
}

}  // namespace

void fuzz::frames(std::string_view bytes) {
    decode_all(bytes);
    if (bytes.empty()) return;
    const size_t step = 1 + static_cast<unsigned char>(bytes.front());
    bytes.remove_prefix(1);
    FrameParser parser;
    parser.feed(link_magic);
    while (!bytes.empty()) {
        parser.feed(bytes.substr(0, step));
        bytes.remove_prefix(std::min(step, bytes.size()));
        for (;;) {
            auto frame = parser.next();
            if (!frame) return;
            if (!frame->has_value()) break;
            decode_all((*frame)->payload);
        }
    }
}

}  // namespace launch
