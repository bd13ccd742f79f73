// A hostile peer: any bytes on a link. The first byte cuts the input into reads.
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "core/wire/assignment.hpp"
#include "core/wire/frame.hpp"
#include "core/wire/link_messages.hpp"
#include "core/wire/messages.hpp"
#include "core/wire/route_messages.hpp"
#include "core/wire/stage_messages.hpp"
#include "core/wire/stats.hpp"

namespace {

using namespace launch;

/// What decodes must encode to something that decodes to the same bytes.
template <class Message>
void round_trip(std::string_view payload) {
    const auto message = Message::decode(payload);
    if (!message) return;
    const std::string once = message->encode();
    const auto again = Message::decode(once);
    if (!again || again->encode() != once) std::abort();
}

void decode_all(std::string_view payload) {
    round_trip<Hello>(payload);
    round_trip<JobMessage>(payload);
    round_trip<SubtreeMessage>(payload);
    round_trip<AssignmentMessage>(payload);
    round_trip<JobPlacement>(payload);
    round_trip<NodesMessage>(payload);
    round_trip<FailureMessage>(payload);
    round_trip<ExitsMessage>(payload);
    round_trip<NoticeMessage>(payload);
    round_trip<FaultMessage>(payload);
    round_trip<OutputMessage>(payload);
    round_trip<AckMessage>(payload);
    round_trip<PingMessage>(payload);
    round_trip<OrderMessage>(payload);
    round_trip<AttachMessage>(payload);
    round_trip<AttachedMessage>(payload);
    round_trip<SegmentMessage>(payload);
    round_trip<WantedMessage>(payload);
    round_trip<ReleasedMessage>(payload);
    round_trip<ContactsMessage>(payload);
    round_trip<RoutesMessage>(payload);
    round_trip<RoutedMessage>(payload);
    round_trip<NodeStats>(payload);
    unwrap_news(payload);
    decode_number(payload);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    std::string_view bytes(reinterpret_cast<const char*>(data), size);
    decode_all(bytes);
    if (bytes.empty()) return 0;
    const size_t step = 1 + static_cast<unsigned char>(bytes.front());
    bytes.remove_prefix(1);
    FrameParser parser;
    parser.feed(link_magic);
    while (!bytes.empty()) {
        parser.feed(bytes.substr(0, step));
        bytes.remove_prefix(std::min(step, bytes.size()));
        for (;;) {
            auto frame = parser.next();
            if (!frame) return 0;
            if (!frame->has_value()) break;
            decode_all((*frame)->payload);
        }
    }
    return 0;
}
