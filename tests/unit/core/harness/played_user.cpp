// SPDX-License-Identifier: MIT
#include "tests/unit/core/harness/played_user.hpp"

#include <algorithm>

namespace launch {
namespace {

/// Waits to be read when the reader rests.
constexpr size_t most_unread = 4096;
/// The reader has so long, when the head does not wait for it any longer.
constexpr std::chrono::milliseconds last_chance{200};
/// A slow reader rests so long after each piece.
constexpr std::chrono::milliseconds between_pieces{250};

}  // namespace

class PlayedUser::Writer final : public ScreenWriter {
  public:
    Writer(PlayedUser& user, std::string& read, Pace& pace)
        : user_(user), read_(read), pace_(pace) {}

    awaitable<bool> write(std::string bytes) override {
        if (drops_ || (gave_up_ && unread_.size() > most_unread)) {
            drops_ = true;
            user_.has_missed_output_ = true;
            co_return true;
        }
        write_now(std::move(bytes));
        while (unread_.size() > most_unread && !gave_up_) {
            co_await user_.changed_.wait_until(pace_.reads_again);
            look();
        }
        co_return true;
    }
    void write_now(std::string bytes) override {
        unread_ += bytes;
        look();
    }
    awaitable<void> drain() override {
        auto until = Clock::time_point::max();
        while (look(), !unread_.empty() && Clock::now() < until) {
            if (gave_up_) until = std::min(until, Clock::now() + last_chance);
            co_await user_.changed_.wait_until(std::min(until, pace_.reads_again));
        }
        user_.has_missed_output_ = user_.has_missed_output_ || !unread_.empty();
    }
    void give_up() override {
        gave_up_ = true;
        user_.changed_.notify();
    }
    int error() const override { return 0; }

  private:
    void look() {
        const auto now = Clock::now();
        if (now < pace_.reads_again || unread_.empty()) return;
        const bool is_slow = now < pace_.is_slow_until;
        const size_t bytes =
            is_slow ? std::min(pace_.bytes_at_a_time, unread_.size()) : unread_.size();
        read_ += unread_.substr(0, bytes);
        unread_.erase(0, bytes);
        if (is_slow) pace_.reads_again = now + between_pieces;
    }

    PlayedUser& user_;
    std::string& read_;
    Pace& pace_;
    std::string unread_;
    bool gave_up_ = false;
    bool drops_ = false;
};

class PlayedUser::Source final : public ByteSource {
  public:
    explicit Source(PlayedUser& user) : user_(user) {}

    awaitable<std::string> read(size_t limit) override {
        while (user_.typed_.empty() && !user_.has_typed_all_ && !stopped_)
            co_await user_.changed_.wait();
        if (stopped_) co_return std::string();
        const std::string bytes = user_.typed_.substr(0, limit);
        user_.typed_.erase(0, bytes.size());
        co_return bytes;
    }
    void stop() override {
        stopped_ = true;
        user_.changed_.notify();
    }

  private:
    PlayedUser& user_;
    bool stopped_ = false;
};

class PlayedUser::Signals final : public SignalSource {
  public:
    explicit Signals(PlayedUser& user) : user_(user) {}

    awaitable<int> next() override {
        while (user_.signals_.empty() && !cancelled_)
            co_await user_.changed_.wait();
        if (cancelled_) co_return 0;
        const int number = user_.signals_.front();
        user_.signals_.pop_front();
        co_return number;
    }
    void cancel() override {
        cancelled_ = true;
        user_.changed_.notify();
    }

  private:
    PlayedUser& user_;
    bool cancelled_ = false;
};

UserSide PlayedUser::side() {
    return {{std::make_unique<Writer>(*this, out_, pace_),
             std::make_unique<Writer>(*this, err_, pace_of_messages_)},
            std::make_unique<Source>(*this),
            std::make_unique<Signals>(*this)};
}

void PlayedUser::send(int signal) {
    signals_.push_back(signal);
    sent_.push_back({signal, Clock::now()});
    changed_.notify();
}

void PlayedUser::type(const std::string& text, bool is_last) {
    typed_ += text;
    has_typed_all_ = is_last;
    changed_.notify();
}

void PlayedUser::rest(Clock::duration time) {
    pace_.reads_again = std::max(pace_.reads_again, Clock::now()) + time;
}

void PlayedUser::read_slowly(size_t bytes, Clock::duration time) {
    pace_.bytes_at_a_time = bytes;
    pace_.is_slow_until = std::max(pace_.is_slow_until, Clock::now()) + time;
}

}  // namespace launch
