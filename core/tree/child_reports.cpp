// SPDX-License-Identifier: MIT
// Takes the reports of a child, and makes the reports about its loss.

#include <algorithm>

#include "core/tree/child.hpp"
#include "core/tree/claimed_nodes.hpp"
#include "core/tree/said_text.hpp"

namespace launch {

namespace {

constexpr uint64_t not_numbered = UINT64_MAX;

/// How what a child says is taken in.
enum class Saying : uint8_t {
    report,    ///< to the head, numbered by its origin
    numbered,  ///< to this node, numbered by the child
    of_link,   ///< to this node, as far as the link lasts
};

Saying saying_of(FrameType type) {
    switch (type) {
        case FrameType::nodes_up:
        case FrameType::unready:
        case FrameType::refused:
        case FrameType::failure:
        case FrameType::exits:
        case FrameType::notice:
        case FrameType::staged:
        case FrameType::spawn:
        case FrameType::left:
        case FrameType::starts:
        case FrameType::costs:
        case FrameType::stats:
        case FrameType::routed:
        case FrameType::fault: return Saying::report;
        case FrameType::contacts:
        case FrameType::gained:
        case FrameType::modex:
        case FrameType::surveyed:
        case FrameType::input_wanted:
        case FrameType::input_refused: return Saying::numbered;
        default: return Saying::of_link;
    }
}

}  // namespace

bool Child::handle(Frame& frame) {
    if (frame.type == FrameType::attach) {
        const auto message = AttachMessage::decode(frame.payload);
        return message && context_.owner.asks_to_stay(*this, *message);
    }
    if (state_ == ChildState::retired)
        return true;  // a retired child says all that matters to its new parent, again
    switch (saying_of(frame.type)) {
        case Saying::report: return handle_report(frame);
        case Saying::numbered: return handle_numbered(frame);
        case Saying::of_link: break;
    }
    return handle_of_link(frame);
}

bool Child::handle_of_link(Frame& frame) {
    switch (frame.type) {
        case FrameType::output: return take_output(std::move(frame.payload));
        case FrameType::stage_wanted: return give_files(frame.payload);
        case FrameType::bye: return note_bye();
        case FrameType::ping: {
            const auto ping = PingMessage::decode(frame.payload);
            if (!ping || !channels_.acknowledge(ping->received)) return false;
            // Not by AttachMessage::received: after that the child says again what it said before.
            forget_released(ping->received.control);
            heard_ = ping->heard;
            if (std::exchange(waits_for_head_, ping->waits_for_head) != ping->waits_for_head)
                context_.upstream.waiting_changed();
            send_queued();
            return true;
        }
        default: return false;
    }
}

/// Answers a request for files of a job. If the job has ended here, no files are left to give, but
/// the request is no fault.
bool Child::give_files(std::string_view payload) {
    const auto text = unwrap_job(payload);
    const auto feed = text ? feeds_.find(text->job) : feeds_.end();
    return feed == feeds_.end() ? text.has_value() : feed->second->wanted(text->body);
}

/// The child has said its last words. False: this node has not told it to leave. The parent that it
/// had before may have, where that one was dismissed itself: then it is a loss, of which the nodes
/// above are to know.
bool Child::note_bye() {
    const bool may_leave = state_ == ChildState::dismissed || state_ == ChildState::leaving;
    if (!may_leave && !context_.broadcasts.has(FrameType::finish)) return false;
    step(ChildEvent::said_bye);
    return true;
}

/// The child speaks for a node that cannot be below it. Other hosts are not to suffer from a host
/// that is not to be trusted, or from a fault in its relay.
bool Child::is_trespass(const std::vector<NodeRange>& nodes) {
    if (context_.owner.may_speak_for(*this, nodes)) return false;
    link_end_.cause = "its relay reported for a host that is not below it";
    return true;
}

bool Child::take_output(std::string payload) {
    const auto report = unwrap_report(payload);
    if (!report || is_trespass({{report->header.origin, 1}})) return false;
    outputs_.push_back({link_, std::move(payload)});
    changed_.notify();
    return true;
}

bool Child::handle_report(Frame& frame) {
    const auto report = unwrap_report(frame.payload);
    if (!report || is_trespass({{report->header.origin, 1}})) return false;
    const auto verdict = context_.reports.take(ReportClass::control, report->header);
    if (verdict == ReportFilter::Verdict::unknown) return false;
    if (verdict == ReportFilter::Verdict::early) return true;
    const bool fresh = verdict == ReportFilter::Verdict::fresh;
    // A report that comes again was checked when it first came. Since then the head may have given
    // the number of a node that never ran to a host below another child.
    if (fresh && is_trespass(claimed_nodes(frame.type, report->body))) return false;
    if (fresh && !learn_from(frame.type, report->header.origin, report->body)) return false;
    context_.upstream.pass(frame.type, frame.payload, *report, fresh);
    // Also a report that came before: its acknowledgement may have been lost with a link.
    context_.owner.confirm(report->header.origin, 0);
    return true;
}

/// Takes from reports on their way up what this node itself has to know.
bool Child::learn_from(FrameType type, NodeIndex origin, std::string_view body) {
    if (type == FrameType::failure) return learn_of_failure(body);
    if (type == FrameType::routed) {
        const auto message = RoutedMessage::decode(body);
        if (!message || message->node != origin || message->parent >= origin) return false;
        context_.owner.placed(*this, *message);
    }
    if (type == FrameType::left) {
        const auto message = NodesMessage::decode(body);
        if (!message) return false;
        context_.owner.have_left(*this, *message);
    }
    return context_.user->report_passes(index(), type, body);
}

/// The report of a failure may come late, by another way than the link that broke, when another
/// relay runs already in the place of the lost one: what is not true any more is left out.
bool Child::learn_of_failure(std::string_view body) {
    const auto message = FailureMessage::decode(body);
    if (!message) return false;
    const auto failure = context_.owner.still_true(*message);
    if (!failure) return true;
    if (failure->was_up) {
        context_.owner.lost(*failure, id_);
    } else {
        context_.owner.not_started(failure->node, id_);
    }
    context_.user->nodes_gone();
    return context_.user->report_passes(index(), FrameType::failure, failure->encode());
}

bool Child::handle_numbered(Frame& frame) {
    const auto taken = channels_.control.take(frame.payload);
    if (!taken) return false;
    if (channels_.control.owed() >= enough_to_acknowledge) send_ping(start_ == Start::goes_on);
    return !taken->fresh || act_on_numbered(frame.type, taken->body);
}

bool Child::act_on_numbered(FrameType type, std::string_view body) {
    if (type == FrameType::contacts) {
        const auto message = ContactsMessage::decode(body);
        return message && context_.owner.contacts_came(*this, *message);
    }
    if (type == FrameType::gained) {
        const auto message = MovedMessage::decode(body);
        return message && message->received <= channels_.control.last_number() &&
               context_.owner.gained(*this, *message);
    }
    return context_.user->from_child(index(), type, body);
}

void Child::tell_released(const MovedMessage& message) {
    if (!lives()) return;
    keep(FrameType::released, message.encode(), false);
    const bool is_queued = channels_.control.has_queue();
    released_.emplace_back(is_queued ? not_numbered : channels_.control.last_number(),
                           message.nodes);
}

/// The first of those that were queued has its number now.
void Child::number_released() {
    for (auto& [number, nodes] : released_)
        if (number == not_numbered) {
            number = channels_.control.last_number();
            return;
        }
}

std::vector<NodeIndex> Child::released_since(uint64_t count) const {
    std::vector<NodeIndex> nodes;
    for (const auto& [number, ranges] : released_) {
        if (number <= count) continue;
        for (const auto& [first, size] : ranges)
            for (NodeIndex i = 0; i < size; ++i)
                nodes.push_back(first + i);
    }
    std::sort(nodes.begin(), nodes.end());
    return nodes;
}

/// The child had received at least so many when it made the reports that still come.
void Child::forget_released(uint64_t count) {
    while (!released_.empty() && released_.front().first <= count)
        released_.pop_front();
}

awaitable<void> Child::forward_output() {
    uint64_t taken = 0;
    Link over;
    while (is_heard(state_) || !outputs_.empty()) {
        if (outputs_.empty()) {
            co_await changed_.wait();
            continue;
        }
        auto& [link, message] = outputs_.front();  // stays in its place until it has been passed on
        if (over != link) taken = 0;               // a new link began with a whole window
        over = link;
        taken += message.size();
        const auto report = unwrap_report(message);
        const auto verdict = report ? context_.reports.take(ReportClass::output, report->header)
                                    : ReportFilter::Verdict::unknown;
        // Where nobody reads any more output is dropped, but its credit goes back all the same:
        // a rank must get rid of what it wrote to be able to end.
        if (verdict == ReportFilter::Verdict::fresh || verdict == ReportFilter::Verdict::known) {
            const bool fresh = verdict == ReportFilter::Verdict::fresh;
            const NodeIndex origin = report->header.origin;
            const size_t size = message.size();
            co_await context_.upstream.pass_output(std::move(message), fresh);
            context_.owner.confirm(origin, size);
        }
        outputs_.pop_front();
        // Not for each message, as that would wake up the child's process each time: it still has
        // half of its window then.
        if (taken >= window_ / 2) over->grant(std::exchange(taken, 0));
    }
}

/// The nodes that are lost with the child: all below it that have found no other parent. But while
/// hosts are being started, those of which nothing was heard yet may be started another way: they
/// become rest_.
std::vector<NodeRange> Child::lost_below() {
    const bool may_start = context_.owner.starts_hosts();
    std::vector<NodeRange> lost;
    for (const auto& [first, count] : all_below())
        for (NodeIndex node = first; node - first < count; ++node) {
            const bool settled = context_.below.is_lost(node) ||
                                 context_.reports.had(node, ReportClass::control) > 0;
            append_nodes(may_start && !settled ? rest_ : lost, {node, 1});
        }
    for (const NodeRange& range : rest_)
        context_.below.release(id_, range);
    return lost;
}

void Child::report_loss() {
    if (!had(index())) return context_.owner.restart_left_behind(*this);
    Error error;
    error.kind = ErrorKind::unreachable;
    error.host = block_.hosts.front().name;
    error.operation = "run";
    if (link_end_.kind == LinkEnd::Kind::silent) {
        error.cause = "the host no longer answers";
        error.hint = "the host or its network is down, or its relay hangs";
    } else if (link_end_.kind == LinkEnd::Kind::nonsense) {
        error.cause = link_end_.cause;
    } else if (const auto words = last_words(link_->stream().error_text()); !words.empty()) {
        error.cause = "its relay ended: " + words;
    } else {
        error.cause = "the connection ended";
        error.hint = "its relay or the ssh session was killed, or the host went down";
    }
    FailureMessage failure{block_.first, true, lost_below(), std::move(error)};
    const auto latest = [this](const std::vector<NodeRange>& nodes) {
        return std::max(block_.generation, context_.owner.latest_generation(nodes));
    };
    failure.restarted = rest_;  // which lost_below() has found
    failure.restarted_as = latest(rest_) + 1;
    failure.generation = latest(failure.below);
    context_.owner.lost(failure, std::nullopt);
    context_.upstream.failure(failure);
    ChildView gone{index(), failure.below};
    gone.nodes.push_back({index(), 1});
    context_.user->child_lost(gone);
}

}  // namespace launch
