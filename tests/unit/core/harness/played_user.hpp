// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <deque>
#include <string>
#include <utility>
#include <vector>

#include "core/async/event.hpp"
#include "core/head/user_side.hpp"

namespace launch {

struct TimedSignal {
    int number;
    Clock::time_point at;
};

/// The user of a job in a simulation: reads what it writes, slowly or not at all, types its input
/// and sends signals. It outlives the job.
class PlayedUser {
  public:
    explicit PlayedUser(any_io_executor executor) : changed_(std::move(executor)) {}

    /// Once.
    UserSide side();

    void send(int signal);
    /// Comes after what has been typed. `is_last`: nothing more is typed.
    void type(const std::string& text, bool is_last);
    /// Reads nothing of standard output for so long.
    void rest(Clock::duration time);
    /// For so long, reads no more than so many bytes of it at a time, and rests between.
    void read_slowly(size_t bytes, Clock::duration time);

    /// When the reader rests no more, and is not slow: then it reads at once what there is.
    Clock::time_point attends_from() const {
        return std::max(pace_.reads_again, pace_.is_slow_until);
    }
    /// All signals that it has sent.
    const std::vector<TimedSignal>& signals() const { return sent_; }
    const std::string& out() const { return out_; }
    const std::string& err() const { return err_; }
    /// It did not read, and was waited for no longer.
    bool has_missed_output() const { return has_missed_output_; }

  private:
    struct Pace {
        Clock::time_point reads_again{};
        size_t bytes_at_a_time = 0;
        Clock::time_point is_slow_until{};
    };
    class Writer;
    class Source;
    class Signals;

    std::string out_;
    std::string err_;
    bool has_missed_output_ = false;
    std::string typed_;
    bool has_typed_all_ = false;
    std::deque<int> signals_;
    std::vector<TimedSignal> sent_;
    Pace pace_;
    Pace pace_of_messages_;
    Event changed_;
};

}  // namespace launch
