// SPDX-License-Identifier: MIT
#pragma once

#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>

#include "core/async/event.hpp"
#include "core/io/screen_writer.hpp"

namespace launch {

/// Writes to a descriptor that is shared with others (the head's standard output) from a thread
/// of its own: such a descriptor must not be made non-blocking, and a slow reader or disk must
/// not stop the head from answering its relays. The thread starts with the first bytes. Where the
/// system refuses the thread, the bytes are written at once by the caller's: an error message that
/// may wait for its reader is better than none.
class BlockingWriter final : public ScreenWriter {
  public:
    /// Two streams of one file share a writer, or their lines would mix.
    BlockingWriter(any_io_executor executor, int fd);
    /// Gives up what is not written yet; wait with drain() first.
    ~BlockingWriter() override;
    BlockingWriter(const BlockingWriter&) = delete;
    BlockingWriter& operator=(const BlockingWriter&) = delete;

    /// Too many bytes wait when there is more than about a megabyte of them.
    awaitable<bool> write(std::string bytes) override;
    void write_now(std::string bytes) override;
    awaitable<void> drain() override;
    void give_up() override;
    int error() const override { return error_; }

  private:
    /// The state of the thread.
    enum class Writing : uint8_t {
        nothing,  ///< it waits for bytes
        a_batch,
        ended,  ///< nothing any more: only its join() is left
    };
    /// The behaviour of a writer when the queue is full.
    enum class Patience : uint8_t {
        waits,
        gave_up,  ///< gives what comes as long as there is room
        drops,    ///< the queue was full: these and all later bytes are dropped
    };

    bool start_thread();
    void write_here();
    void write_loop();
    void write_all(const std::string& bytes);
    void wait_for_room() const;

    any_io_executor executor_;
    int fd_;
    Event progress_;
    std::mutex mutex_;
    std::condition_variable work_;
    std::condition_variable leaving_;
    std::string queue_;
    Writing writing_ = Writing::nothing;
    bool stop_asked_ = false;
    int failed_ = 0;  ///< under the mutex; error_ is the io thread's copy
    int error_ = 0;
    size_t waiting_ = 0;
    Patience patience_ = Patience::waits;
    std::thread thread_;
};

}  // namespace launch
