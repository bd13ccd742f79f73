// SPDX-License-Identifier: MIT
// Two honest nodes, and links between them that break anywhere: what either tells the other, and
// what the lower one tells the head, comes once and in order. The input says what happens.
#include <deque>
#include <utility>
#include <vector>

#include "core/base/codec.hpp"
#include "core/link/ack_desk.hpp"
#include "core/link/neighbour_channel.hpp"
#include "core/link/report_filter.hpp"
#include "core/link/report_log.hpp"
#include "tests/fuzz/targets.hpp"

namespace launch {
namespace {

using fuzz::require;

constexpr NodeIndex origin = 5;
/// The head confirms seldom; here it comes to that.
constexpr size_t long_output = 50'000;
constexpr int most_steps = 200;

/// Of each kind the bodies are numbers, so that what comes can be compared with what was said.
struct Told {
    uint64_t said = 0;
    uint64_t come = 0;

    std::string next() { return Encoder{}.number(++said).take(); }
    void came(std::string_view body) {
        Decoder in(body);
        require(in.number() == come + 1 && in.ok(), "once and in order");
        ++come;
    }
};

/// One direction of a link, as bytes: cut into reads of any size, and lost from any byte on.
struct Wire {
    std::string bytes;
    FrameParser parser;

    Wire() { parser.feed(link_magic); }
    void send(FrameType type, std::string_view payload) { encode_frame(type, payload, bytes); }
    void carry(size_t count) {
        parser.feed(std::string_view(bytes).substr(0, count));
        bytes.erase(0, count);
    }
    std::optional<Frame> receive() {
        auto frame = parser.next();
        require(bool(frame), "our own frames");
        return *std::move(frame);
    }
};

class Pair {
  public:
    void step(uint64_t what, uint64_t much) {
        switch (what % 8) {
            case 0: {
                const auto& entry = log_.add(FrameType::notice, control_.next());
                up_.send(entry.type, entry.payload);
                break;
            }
            case 1: log_.add_output(output_.next().append(much % 2 * long_output, 'o')); break;
            case 2: send_output(); break;
            case 3:
                up_.send(FrameType::modex, below_.keep(FrameType::modex, rising_.next()));
                break;
            case 4:
                down_.send(FrameType::modex, above_.keep(FrameType::modex, falling_.next()));
                break;
            case 5: up_.carry(much); break;
            case 6: down_.carry(much); break;
            default: heal(); break;
        }
        hear();
    }

    /// At the end the links hold.
    void finish() {
        heal();
        while (log_.next_output() != nullptr)
            send_output();
        while (!up_.bytes.empty() || !down_.bytes.empty()) {
            up_.carry(up_.bytes.size());
            down_.carry(down_.bytes.size());
            hear();
        }
        for (const Told* told : {&control_, &output_, &rising_, &falling_})
            require(told->come == told->said, "all of it");
    }

  private:
    void send_output() {
        const auto* entry = log_.next_output();
        if (entry == nullptr) return;
        up_.send(entry->type, entry->payload);
        log_.output_sent(entry->number);
    }

    /// Another link takes the place of the one that broke: both say what they have had.
    void heal() {
        up_ = Wire();
        down_ = Wire();
        require(above_.acknowledge(below_.received()), "no more than was sent");
        require(below_.acknowledge(above_.received()), "no more than was sent");
        for (const auto& frame : below_.unacknowledged().entries())
            up_.send(frame.type, frame.payload);
        for (const auto& frame : above_.unacknowledged().entries())
            down_.send(frame.type, frame.payload);
        log_.rewind();
        for (const auto& entry : log_.control().entries())
            up_.send(entry.type, entry.payload);
    }

    void hear() {
        while (const auto frame = up_.receive()) {
            if (frame->type == FrameType::modex)
                take(above_, frame->payload, rising_);
            else
                report(*frame);
        }
        while (const auto frame = down_.receive()) {
            if (frame->type == FrameType::modex) {
                take(below_, frame->payload, falling_);
                continue;
            }
            const auto ack = AckMessage::decode(frame->payload);
            require(ack.has_value() && ack->origin == origin, "its own");
            log_.acknowledge(*ack);
        }
    }

    static void take(NeighbourChannel& kept, std::string_view payload, Told& told) {
        const auto taken = kept.take(payload);
        require(taken.has_value(), "none misses its predecessor");
        if (taken->fresh) told.came(taken->body);
    }

    void report(const Frame& frame) {
        const bool is_output = frame.type == FrameType::output;
        const auto kind = is_output ? ReportClass::output : ReportClass::control;
        const auto report = unwrap_report(frame.payload);
        require(report.has_value(), "report");
        const auto verdict = count_.take(kind, report->header);
        require(verdict == ReportFilter::Verdict::fresh || verdict == ReportFilter::Verdict::known,
                "none misses its predecessor");
        if (verdict == ReportFilter::Verdict::fresh)
            (is_output ? output_ : control_).came(report->body);
        if (!desk_.took(origin, is_output ? frame.payload.size() : 0)) return;
        const AckMessage ack{origin, count_.had(origin, ReportClass::control),
                             count_.had(origin, ReportClass::output)};
        down_.send(FrameType::ack, ack.encode());
    }

    Wire up_;
    Wire down_;
    ReportLog log_{origin};
    ReportFilter count_{origin, 1};
    AckDesk desk_{origin};
    NeighbourChannel above_;
    NeighbourChannel below_;
    Told control_;
    Told output_;
    Told rising_;
    Told falling_;
};

}  // namespace

void fuzz::healing(std::string_view bytes) {
    Pair pair;
    Decoder in(bytes);
    for (int steps = 0; in.ok() && !in.done() && steps < most_steps; ++steps) {
        const uint64_t what = in.number();
        const uint64_t much = in.number();
        if (in.ok()) pair.step(what, much);
    }
    pair.finish();
}

}  // namespace launch
