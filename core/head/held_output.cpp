// SPDX-License-Identifier: MIT
#include "core/head/held_output.hpp"

#include "core/job/fold_ranks.hpp"

namespace launch {

awaitable<bool> HeldOutput::take(uint32_t space, const OutputMessage& message) {
    const RankOfSpace rank{space, message.rank};
    while (phase_ == Phase::spills)
        co_await moved_on_.wait();
    if (phase_ == Phase::passes) {
        const bool shown = co_await show_labelled(rank, message);
        co_return shown;
    }
    if (gather_.feed(rank, message.stream, message.bytes)) co_return true;
    const bool shown = co_await spill();
    co_return shown;
}

/// Nothing that ranks wrote is lost: it comes with labels instead.
awaitable<bool> HeldOutput::spill() {
    phase_ = Phase::spills;
    console_.say("note: more than " + std::to_string(OutputGather::usual_limit >> 20) +
                 " MiB of output differ, which is the limit of --gather; all output is printed "
                 "ungathered, each line with its rank");
    const OutputGather held = std::exchange(gather_, OutputGather());
    bool shown = true;
    for (const auto& [rank, stream] : held.writers()) {
        const std::string text = held.text_of(rank, stream);
        const OutputMessage message{rank.rank, stream, text};
        shown = shown && co_await show_labelled(rank, message);
    }
    phase_ = Phase::passes;
    moved_on_.notify();
    co_return shown;
}

awaitable<bool> HeldOutput::show_labelled(RankOfSpace rank, OutputMessage message) {
    const std::string label = "[" + rank_name(rank.rank, rank.space) + "] ";
    const Key key{rank, message.stream};
    auto& lines = labelled_.try_emplace(key, LineLabel(label), true).first->second;
    std::string text;
    lines.feed(message.bytes, text);
    const OutputMessage labelled{message.rank, message.stream, text};
    co_return co_await console_.output(labelled);
}

awaitable<void> HeldOutput::finish() {
    for (auto& [key, lines] : labelled_) {
        std::string text;
        lines.finish(text);
        const OutputMessage rest{key.first.rank, key.second, text};
        if (!text.empty()) co_await console_.output(rest);
    }
}

std::optional<GatheredOutput> HeldOutput::gathered() const {
    if (phase_ != Phase::holds) return std::nullopt;
    return gather_.groups();
}

}  // namespace launch
