// SPDX-License-Identifier: MIT
#include "core/io/output_files.hpp"

namespace launch {
namespace {

constexpr size_t most_queued_for_files = 1u << 20;
/// A disk or a file server that takes longer for a queue is taken for dead.
constexpr std::chrono::seconds file_patience{60};

Error no_answer(const std::string& path) {
    Error error;
    error.kind = ErrorKind::output;
    error.operation = "write " + path;
    error.cause = "no answer within " + std::to_string(file_patience.count()) + " s";
    error.hint = "does the file system hang?";
    return error;
}

}  // namespace

/// Outlives its owner if the disk hangs.
struct OutputFiles::Work {
    std::shared_ptr<ByteSink> sink;
    Batch batch;
    std::optional<Error> error;

    void run() {
        for (const auto& [path, bytes] : batch) {
            auto done = sink->append(path, bytes);
            if (done) continue;
            error = std::move(done.error());
            return;
        }
    }
};

OutputFiles::OutputFiles(any_io_executor executor, std::shared_ptr<ByteSink> sink)
    : sink_(std::move(sink)), thread_(executor, 1), changed_(executor), tasks_(executor) {}

awaitable<bool> OutputFiles::write(std::string path, std::string bytes) {
    if (error_) co_return false;
    waiting_ += bytes.size();
    const bool goes_with_last = !queue_.empty() && queue_.back().first == path &&
                                queue_.back().second.size() < sink_->most_at_once();
    if (goes_with_last)
        queue_.back().second += bytes;
    else
        queue_.emplace_back(std::move(path), std::move(bytes));
    if (!std::exchange(carries_, true)) tasks_.spawn(carry());
    while (waiting_ > most_queued_for_files && !error_)
        co_await changed_.wait();
    co_return !error_;
}

OutputFiles::Batch OutputFiles::next_batch() {
    Batch batch;
    size_t room = sink_->most_at_once();
    while (room > 0 && !queue_.empty()) {
        auto& [path, bytes] = queue_.front();
        if (bytes.size() > room) {
            batch.emplace_back(path, bytes.substr(0, room));
            bytes.erase(0, room);
            break;
        }
        room -= bytes.size();
        batch.push_back(std::move(queue_.front()));
        queue_.pop_front();
    }
    return batch;
}

awaitable<void> OutputFiles::carry() {
    while (!queue_.empty() && !error_) {
        const auto work = std::make_shared<Work>();
        work->sink = sink_;
        work->batch = next_batch();
        size_t size = 0;
        for (const auto& [path, bytes] : work->batch)
            size += bytes.size();
        std::function<void()> run = [work] { work->run(); };
        const bool done = co_await thread_.run(std::move(run), file_patience, {});
        error_ = done ? work->error : thread_.no_thread();
        if (!done && !error_) error_ = no_answer(work->batch.front().first);
        waiting_ -= size;
        changed_.notify();
    }
    carries_ = false;
    changed_.notify();
}

awaitable<void> OutputFiles::drain() {
    while (carries_)
        co_await changed_.wait();
}

}  // namespace launch
