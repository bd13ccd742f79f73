// SPDX-License-Identifier: MIT
#include "tests/unit/core/harness/played_user.hpp"

#include <algorithm>

namespace launch {
namespace {

/// Waits to be read when the reader rests.
constexpr size_t most_unread = 4096;
/// The reader has so long, when the head does not wait for it any longer.
constexpr std::chrono::milliseconds last_chance{200};

}  // namespace

class PlayedUser::Writer final : public ScreenWriter {
  public:
    /// `reads_again`: until then its reader rests.
    Writer(PlayedUser& user, std::string& read, const Clock::time_point& reads_again)
        : user_(user), read_(read), reads_again_(reads_again) {}

    awaitable<bool> write(std::string bytes) override {
        if (drops_ || (gave_up_ && unread_.size() > most_unread)) {
            drops_ = true;
            co_return true;
        }
        write_now(std::move(bytes));
        while (unread_.size() > most_unread && !gave_up_) {
            co_await user_.changed_.wait_until(reads_again_);
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
            co_await user_.changed_.wait_until(std::min(until, reads_again_));
        }
    }
    void give_up() override {
        gave_up_ = true;
        user_.changed_.notify();
    }
    int error() const override { return 0; }

  private:
    void look() {
        if (Clock::now() >= reads_again_) read_ += std::exchange(unread_, {});
    }

    PlayedUser& user_;
    std::string& read_;
    const Clock::time_point& reads_again_;
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
    static constexpr Clock::time_point always{};
    return {{std::make_unique<Writer>(*this, out_, reads_again_),
             std::make_unique<Writer>(*this, err_, always)},
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
    reads_again_ = std::max(reads_again_, Clock::now()) + time;
}

}  // namespace launch
