// SPDX-License-Identifier: MIT
#include "core/session/session_job.hpp"

#include <algorithm>
#include <utility>

#include "core/head/guest_tree.hpp"
#include "core/link/output_account.hpp"
#include "core/link/patience.hpp"

namespace launch {
namespace {

/// A node gets the number of bytes read each time that its client has read this part of its window.
constexpr uint64_t parts_of_window = 4;

}  // namespace

SessionJob::SessionJob(any_io_executor executor, HeadTree& tree, JobNumber number,
                       std::shared_ptr<FramedLink> link, Surveys surveys)
    : GuestJob(executor),
      executor_(executor),
      tree_(tree),
      number_(number),
      link_(std::move(link)),
      surveys_(std::move(surveys)),
      tasks_(executor) {}

awaitable<void> SessionJob::run(JobMessage message, AssignmentMessage placed) {
    limit_ = patience::leave_head_within(message.policies.kill_grace);
    for (const auto& part : placed.parts)
        used_.insert(part.node);
    pending_ = used_;
    pending_.insert(tree_.self());
    const Bounds bounds = tree_.bounds();
    window_ = message.output_window = bounds.window_of(bounds.to_client, used_.size());
    node_job_ = &tree_.begin(number_, std::move(message), *this, *this);
    for (const auto& failure : place_guest(*node_job_, tree_, std::move(placed)))
        hosts_failed(failure);
    tasks_.spawn(listen());
    while (phase_ == Phase::runs)
        co_await changed_.wait();
    node_job_ = nullptr;
    tree_.end(number_);
    co_await wait_for_end();
    tree_.forget(number_);
}

awaitable<void> SessionJob::say_farewell() {
    const std::string stuck = NodesMessage{{pending_.begin(), pending_.end()}}.encode();
    co_await link_->send_data(FrameType::output, OutputMessage{0, Stream::end, stuck}.encode());
    while (phase_ != Phase::abandoned)
        co_await changed_.wait();
    link_->close();
    co_await tasks_.join();
}

/// To the end of the link: also when the job is over, credit comes for what is on its way.
awaitable<void> SessionJob::listen() {
    for (;;) {
        const auto frame = co_await link_->receive();
        if (!frame || !frame->has_value()) break;
        take(**frame);
    }
    link_->close();
    phase_ = Phase::abandoned;
    changed_.notify();
}

void SessionJob::take(const Frame& frame) {
    if (frame.type == FrameType::input) {
        if (node_job_ != nullptr) node_job_->give_input(frame.payload);
        return;
    }
    if (frame.type == FrameType::spawned) {
        if (const auto answer = SpawnedMessage::decode(frame.payload))
            tree_.answer(number_, *answer);
        return;
    }
    if (frame.type == FrameType::signal) {
        if (const auto order = SignalMessage::decode(frame.payload)) tree_.signal(number_, *order);
        return;
    }
    if (frame.type == FrameType::survey) {
        if (const auto order = SurveyOrder::decode(frame.payload)) tree_.survey(number_, *order);
        return;
    }
    const auto value = decode_number(frame.payload);
    if (!value) return;
    switch (frame.type) {
        case FrameType::credit: return link_->add_credit(*value);
        case FrameType::window:
        case FrameType::terminate:
        case FrameType::start_ranks: return tree_.order(number_, frame.type, *value);
        case FrameType::end_job:
            phase_ = std::max(phase_, Phase::told_to_end);
            return changed_.notify();
        default: return;
    }
}

awaitable<void> SessionJob::wait_for_end() {
    moved_at_ = Clock::now();
    while (!is_read() || (!pending_.empty() && Clock::now() < moved_at_ + limit_))
        co_await changed_.wait_until(is_read() ? moved_at_ + limit_ : Clock::time_point::max());
}

void SessionJob::hosts_failed(const FailureMessage& failure) {
    drop_failed(failure);
    link_->send(FrameType::failure, failure.encode());
}

/// Reports a failure of the job's part at the head.
void SessionJob::failure(const FailureMessage& failure) {
    link_->send(FrameType::failure, failure.encode());
}

void SessionJob::notice(const NoticeMessage& notice) {
    link_->send(FrameType::notice, notice.encode());
}

void SessionJob::take(const JobReport& report) {
    const auto* survey = std::get_if<SurveyMessage>(&report);
    if (survey != nullptr && surveys_(*survey)) return;
    link_->send(type_of(report), encode(report));
}

awaitable<bool> SessionJob::output(OutputMessage message) {
    co_await give(message.encode());
    co_return true;
}

awaitable<bool> SessionJob::output(NodeIndex origin, OutputMessage message) {
    if (message.stream == Stream::ask) {
        tell_read(origin);
        co_return true;
    }
    const bool is_first = output_.empty();
    output_.push_back({origin, message.bytes.size(), message.encode()});
    if (is_first) tasks_.spawn(carry_output());
    co_return true;
}

/// Returns at once where the client is gone.
awaitable<void> SessionJob::give(std::string payload) {
    ++sending_;
    co_await link_->send_data(FrameType::output, payload);
    --sending_;
    moved_at_ = Clock::now();
    changed_.notify();
}

awaitable<void> SessionJob::carry_output() {
    while (!output_.empty()) {
        Piece& piece = output_.front();  // stays in its place until the client has taken it
        co_await give(std::move(piece.payload));
        has_read(piece);
        output_.pop_front();
    }
    changed_.notify();
}

void SessionJob::has_read(const Piece& piece) {
    Read& read = read_[piece.origin];
    read.size += OutputAccount::size_of(piece.bytes);
    if (read.size >= read.told + window_ / parts_of_window) tell_read(piece.origin);
}

void SessionJob::tell_read(NodeIndex origin) {
    Read& read = read_[origin];
    read.told = read.size;
    tree_.output_read(origin, number_, read.size);
}

void SessionJob::input_wanted(const InputGrant& grant) {
    link_->send(FrameType::input_wanted, grant.encode());
}

void SessionJob::input_refused() {
    link_->send(FrameType::input_refused, {});
}

}  // namespace launch
