// SPDX-License-Identifier: MIT
// A relay between a hostile parent and hostile children: any frames, one after another, through
// what decides about them without I/O. The input is a list of frames, each a type and a payload.
#include <algorithm>
#include <cstdint>
#include <map>
#include <set>

#include "core/base/codec.hpp"
#include "core/link/ack_desk.hpp"
#include "core/link/broadcast_log.hpp"
#include "core/link/neighbour_channel.hpp"
#include "core/link/report_filter.hpp"
#include "core/run/input_merge.hpp"
#include "core/stage/flow.hpp"
#include "core/tree/contact_gather.hpp"
#include "core/tree/route_table.hpp"
#include "core/wire/assignment.hpp"
#include "core/wire/messages.hpp"
#include "tests/fuzz/allocation.hpp"
#include "tests/fuzz/targets.hpp"
#include "tests/unit/core/run/demand_upstream.hpp"
#include "topologies/kary.hpp"

namespace launch {
namespace {

using fuzz::require;

constexpr NodeIndex self = 3;
constexpr NodeIndex block_size = 6;
constexpr NodeIndex job_nodes = 12;
constexpr uint64_t segments = 40;
constexpr uint64_t window = 8;

/// A demand that can be met, and none after the last reader has left.
struct Above final : DemandUpstream {
    void input_wanted(const InputGrant& grant) override {
        require(refusals == 0 && grant.granted > wanted.granted, "a demand while there is one");
        require(grant.had >= wanted.had && grant.had <= grant.granted, "what can be");
        DemandUpstream::input_wanted(grant);
    }
    void input_refused() override {
        DemandUpstream::input_refused();
        require(refusals == 1, "once");
    }
};

class Relay {
  public:
    Relay() {
        input_.add_child(InputMerge::child_key(self + 1));
        input_.add_child_from(InputMerge::child_key(self + 4), InputMerge::child_key(self + 1));
        input_.open();
    }

    void take(const Frame& frame, NodeIndex child) {
        switch (frame.type) {
            case FrameType::output: return report(ReportClass::output, frame.payload);
            case FrameType::nodes_up:
            case FrameType::failure:
            case FrameType::exits:
            case FrameType::stats: return report(ReportClass::control, frame.payload);
            case FrameType::ping: return ping(frame.payload);
            case FrameType::contacts: return contacts(frame.payload);
            case FrameType::assignment: return assignment(frame.payload);
            case FrameType::stage_wanted: return stage_wanted(frame.payload);
            case FrameType::segment: return segment(frame.payload);
            case FrameType::input_refused: return leave(child);
            case FrameType::input_wanted:
                if (const auto grant = InputGrant::decode(frame.payload)) demand(child, *grant);
                return;
            case FrameType::input: return input(frame.payload);
            case FrameType::modex: return kept(frame.payload);
            default:
                if (is_broadcast(frame.type)) broadcast(frame);
                return;
        }
    }

  private:
    void report(ReportClass kind, std::string_view payload) {
        const auto report = unwrap_report(payload);
        if (!report) return;
        const auto [origin, number] = report->header;
        const bool ours = origin >= self && origin - self < block_size;
        const uint64_t before = ours ? count_.had(origin, kind) : 0;
        const auto verdict = count_.take(kind, report->header);
        require((verdict == ReportFilter::Verdict::unknown) == !ours, "those of the block");
        if (!ours) return;
        const bool fresh = verdict == ReportFilter::Verdict::fresh;
        require(fresh == (number == before + 1), "the next one is fresh");
        require(count_.had(origin, kind) == before + (fresh ? 1 : 0), "and is counted");
        if (desk_.took(origin, report->body.size())) ++confirmed_;
        told_ += report->body.size() + 1;
        require(confirmed_ <= told_, "no word for nothing");
        const auto failure = FailureMessage::decode(report->body);
        if (!failure) return;
        gather_.missing({failure->node, 1});
        for (const NodeRange& range : failure->below)
            gather_.missing(range);
    }

    void ping(std::string_view payload) {
        const auto ping = PingMessage::decode(payload);
        if (!ping) return;
        said_.keep(FrameType::modex, "what a neighbour is told");
        ++sent_;
        const size_t kept = said_.unacknowledged().entries().size();
        const bool known = said_.acknowledge(ping->received.control);
        require(known == (ping->received.control <= sent_), "no more than was sent");
        if (known) acknowledged_ = std::max(acknowledged_, ping->received.control);
        require(said_.unacknowledged().entries().size() == sent_ - acknowledged_ &&
                    said_.unacknowledged().entries().size() <= kept,
                "what is not confirmed is kept");
    }

    void kept(std::string_view payload) {
        const uint64_t before = heard_.received();
        const auto taken = heard_.take(payload);
        const bool fresh = taken && taken->fresh;
        require(heard_.received() == before + (fresh ? 1 : 0), "each once");
        require(!taken || taken->body.size() < payload.size(), "a part of it");
    }

    void broadcast(const Frame& frame) {
        const auto message = unwrap_broadcast(frame.payload);
        if (!message) return;
        const uint64_t before = broadcasts_.last();
        const bool fresh = broadcasts_.take(frame.type, *message);
        require(fresh == (message->number > before), "once");
        require(broadcasts_.last() == std::max(before, message->number), "in order");
        require(!fresh || broadcasts_.after(before) == &broadcasts_.entries().back(), "the last");
        if (fresh && frame.type == FrameType::routes) routes(message->body);
    }

    void contacts(std::string_view payload) {
        const auto message = ContactsMessage::decode(payload);
        if (!message) return;
        gather_.add(message->contacts);
        std::set<NodeIndex> nodes;
        const auto gone = gather_.take();
        require(gone.empty() || gather_.complete(), "all at once");
        for (const auto& contact : gone) {
            require(nodes.insert(contact.node).second, "each once");
            require(gather_.find(contact.node) != nullptr, "of those that are known");
        }
    }

    void routes(std::string_view payload) {
        auto message = RoutesMessage::decode(payload);
        if (!message) return;
        const size_t stops = message->stops.size();
        const auto table = RouteTable::make(*tree_, self, job_nodes, std::move(*message));
        if (!table) return;
        require(table->size() == stops && index(table->own_position()) < stops, "a position");
        require(table->ancestors().size() < stops, "ancestors");
        require(table->block().first == self && table->block().size() <= job_nodes, "a block");
        for (const Block& child : table->children())
            require(child.first > self && table->block().contains(child.first, child.size()),
                    "children are below");
    }

    void assignment(std::string_view payload) {
        const auto message = AssignmentMessage::decode(payload);
        if (!message) return;
        const NodeRange block{self, block_size};
        const auto part = message->part_of({block});
        for (const auto& mine : part.parts)
            require(block.contains(mine.node) && message->covers(mine.node), "those of the block");
        auto whole = message->without(part);
        for (const auto& other : whole.parts)
            require(!block.contains(other.node), "those of the block are left out");
        whole.add(part);
        require(whole.parts == message->part_of(message->nodes).parts, "the parts make the whole");
        const auto placement = JobPlacement::decode(message->job);
        if (!placement) return;
        JobMessage job;
        job.programs.resize(2);
        if (!placement->is_of(job)) return;
        placement->apply_to(job);
        require(job.ranks > 0 &&
                    uint64_t{job.programs[0].ranks} + job.programs[1].ranks == uint64_t{job.ranks},
                "all ranks are some program's");
    }

    void stage_wanted(std::string_view payload) {
        const auto message = WantedMessage::decode(payload);
        if (!message || !cursor_.wanted(*message)) return;
        while (cursor_.may_send(segments)) {
            require(cursor_.next() < segments, "one that there is");
            cursor_.sent(cursor_.next());
        }
    }

    void segment(std::string_view payload) {
        const auto message = SegmentMessage::decode(payload);
        if (!message) return;
        if (intake_.take(message->number) == SegmentIntake::Verdict::fresh) {
            require(message->number == next_, "in order");
            ++next_;
            intake_.written(next_);
        }
        const auto wanted = intake_.wanted();
        if (!wanted) return;
        require(wanted->next == next_ && wanted->limit <= std::min(segments, next_ + window),
                "a window");
    }

    void leave(NodeIndex child) {
        input_.refused(InputMerge::child_key(child));
        left_.insert(child);
    }

    void demand(NodeIndex child, const InputGrant& grant) {
        const auto key = InputMerge::child_key(child);
        if (input_.granted(key, grant)) replay(grant.had);
        require(input_.reads(key) == !left_.contains(child),
                "who asks reads, but for one that left");
        passed_.forget(input_.needed_from());
    }

    /// All that there is, without a gap.
    void replay(uint64_t from) {
        const auto pieces = passed_.from(from);
        if (!pieces || pieces->empty()) return;
        require(pieces->front().offset <= from || from > passed_.had(), "from where it was");
        uint64_t at = pieces->front().offset;
        for (const InputPiece& piece : *pieces) {
            require(piece.offset == at, "one after another");
            at = piece.end();
        }
        require(at == passed_.had(), "to the end");
    }

    void input(std::string_view payload) {
        const auto piece = InputPiece::decode(payload);
        const uint64_t before = passed_.had();
        const auto taken = piece ? passed_.take(*piece) : std::nullopt;
        if (!piece) return;
        require(taken.has_value() == (piece->offset <= before), "what comes next, or came before");
        const bool fresh = taken && taken->fresh;
        require(passed_.had() == before + (fresh ? taken->piece.bytes.size() : 0), "each once");
        require(!fresh || taken->piece.offset == before, "in order");
        require(passed_.kept() <= passed_.had(), "no more than came");
    }

    Above above_;
    PassedInput passed_;
    InputMerge input_{above_, passed_};
    std::set<NodeIndex> left_;  ///< children that read no more
    ReportFilter count_{self, block_size};
    AckDesk desk_{self};
    NeighbourChannel said_;
    NeighbourChannel heard_;
    BroadcastLog broadcasts_;
    ContactGather gather_{self, block_size};
    std::unique_ptr<Topology> tree_ = make_kary(2);
    SegmentCursor cursor_{segments};
    SegmentIntake intake_{segments, window};
    uint64_t sent_ = 0;
    uint64_t acknowledged_ = 0;
    uint64_t next_ = 0;
    uint64_t confirmed_ = 0;
    uint64_t told_ = 0;
};

}  // namespace

void fuzz::relay(std::string_view bytes) {
    AllocationLimit limit(in_proportion(bytes.size()));
    Relay relay;
    Decoder in(bytes);
    while (in.ok() && !in.done()) {
        const auto type = decode_enum(in, FrameType::last);
        const uint64_t child = in.number();
        const std::string_view payload = in.text();
        if (!in.ok()) break;
        relay.take({type, std::string(payload)}, child % 2 == 0 ? self + 1 : self + 4);
    }
    limit.check();
}

}  // namespace launch
