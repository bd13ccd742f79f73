// SPDX-License-Identifier: MIT
#include "core/head/debug_talk.hpp"

#include <unistd.h>
#include <utility>

#include "core/base/foreground.hpp"
#include "core/debug/debugger.hpp"

namespace launch {
namespace {

/// More than that waits at the ranks.
constexpr size_t most_unshown = 1U << 20;
constexpr size_t piece_of_script = 4096;

/// 0: they are placed late, when it is known which hosts are up.
uint32_t ranks_of(const Plan& plan) {
    return plan.late() ? 0 : plan.placement.ranks();
}

bool user_types() {
    return isatty(STDIN_FILENO) == 1 && !is_in_background(STDIN_FILENO);
}

}  // namespace

DebugTalk::DebugTalk(any_io_executor executor, const Plan& plan, Console& console,
                     const Guard& guard)
    : plan_(plan),
      console_(console),
      editor_(LineEditor::open(executor, guard.terminal() != nullptr ? *guard.terminal() : own_,
                               [this](const auto& line) { typed(line); })),
      prompts_(editor_ == nullptr && user_types()),
      machine_({Debugger(plan.spec.policies.debugger).name(), ranks_of(plan), user_types()}),
      records_(ranks_of(plan)),
      changed_(executor),
      tasks_(executor) {
    if (editor_ == nullptr) lines_from_ = std::make_unique<StdinReader>(executor);
}

awaitable<void> DebugTalk::run() {
    if (lines_from_) tasks_.spawn(read_lines());
    while (!is_stopped_) {
        const auto seen = changes_;
        machine_.look(Clock::now());
        co_await show();
        if (is_stopped_) break;
        ask();
        changed_.notify();  // who waits for orders, or for the prompt
        if (seen != changes_) continue;
        const auto due = machine_.due();
        if (due)
            co_await changed_.wait_until(*due);
        else
            co_await changed_.wait();
    }
}

/// Takes texts and orders from the machine, and shows the texts.
awaitable<void> DebugTalk::show() {
    orders_ += machine_.take_orders();
    const auto texts = machine_.take_output();
    if (texts.empty()) co_return;
    if (editor_) editor_->hide();
    if (prompts_ && !std::exchange(shown_prompt_, {}).empty()) console_.clear_line();
    for (const auto& text : texts) {
        const OutputMessage message{0, text.is_error ? Stream::err : Stream::out, text.text};
        co_await console_.output(message);
    }
    co_await console_.drain();
}

void DebugTalk::ask() {
    const auto prompt = machine_.prompt();
    if (editor_ && prompt) editor_->show(*prompt);
    if (editor_ && !prompt) editor_->hide();
    if (!prompts_ || !prompt || shown_prompt_ == *prompt) return;
    shown_prompt_ = *prompt;
    console_.prompt(*prompt);
}

void DebugTalk::typed(const std::optional<std::string>& line) {
    shown_prompt_.clear();
    if (line)
        machine_.typed(*line, Clock::now());
    else
        machine_.input_is_over();
    changed();
}

/// Without an editor: each line when it is asked for.
awaitable<void> DebugTalk::read_lines() {
    while (!is_stopped_ && !machine_.is_over()) {
        if (!machine_.prompt()) {
            co_await changed_.wait();
            continue;
        }
        const auto line = co_await next_line();
        while (!is_stopped_ && !machine_.is_over() && !machine_.prompt())
            co_await changed_.wait();
        if (!is_stopped_ && !machine_.is_over()) typed(line);
    }
}

awaitable<std::optional<std::string>> DebugTalk::next_line() {
    while (lines_.empty()) {
        const std::string bytes = co_await lines_from_->read(piece_of_script);
        if (bytes.empty()) {
            if (typed_.rest().empty()) co_return std::nullopt;
            co_return typed_.take_rest();
        }
        typed_.feed(bytes, [this](std::string_view line) { lines_.emplace_back(line); });
    }
    std::string line = std::move(lines_.front());
    lines_.erase(lines_.begin());
    co_return line;
}

bool DebugTalk::interrupt() {
    if ((!editor_ && !prompts_) || !machine_.interrupt(Clock::now())) return false;
    if (editor_) editor_->drop();
    shown_prompt_.clear();
    changed();
    return true;
}

void DebugTalk::pause() {
    if (editor_) editor_->hide();
    shown_prompt_.clear();
}

/// Ranks that are placed late are known when the first of them writes or ends.
void DebugTalk::look_at_placement() {
    if (!records_.empty() || plan_.placement.ranks() == 0) return;
    records_.resize(plan_.placement.ranks());
    machine_.place(plan_.placement.ranks());
}

awaitable<bool> DebugTalk::take(const OutputMessage& message) {
    look_at_placement();
    const uint32_t rank = message.rank;
    if (rank >= records_.size()) co_return true;
    const auto now = Clock::now();
    if (message.stream == Stream::err) {
        machine_.take(rank, {DebugRecord::Kind::err, std::string(message.bytes)}, now);
    } else {
        records_[rank].feed(message.bytes, [&](std::string_view line) {
            const auto record = DebugRecord::decode(line);
            if (record) machine_.take(rank, *record, now);
        });
    }
    changed();
    while (machine_.unshown() > most_unshown && !is_stopped_)
        co_await changed_.wait();
    co_return console_.output_error() == 0;
}

void DebugTalk::ended(uint32_t rank, const ExitStatus&) {
    look_at_placement();
    if (rank < records_.size()) machine_.ended(rank);
    changed();
}

awaitable<void> DebugTalk::finish() {
    stop();
    if (editor_) editor_->close();
    co_await show();
    if (lines_from_) lines_from_->stop();
    co_await tasks_.join();
    if (editor_) co_await editor_->join();
}

awaitable<std::string> DebugTalk::read(size_t limit) {
    while (orders_.empty() && !is_stopped_ && !machine_.is_over())
        co_await changed_.wait();
    const std::string rest = orders_.size() > limit ? orders_.substr(limit) : std::string();
    orders_.resize(orders_.size() - rest.size());
    co_return std::exchange(orders_, rest);
}

void DebugTalk::stop() {
    is_stopped_ = true;
    changed();
}

}  // namespace launch
