// SPDX-License-Identifier: MIT
#include "core/link/direct_move.hpp"

#include <algorithm>

#include "core/link/patience.hpp"

namespace launch {
namespace {

using std::chrono::milliseconds;

constexpr int least_messages = 32;
/// Over so many messages more the moves are spread.
constexpr NodeIndex spread = 64;
/// A node that strangers overload disconnects some callers at random (transports/direct): a link
/// that is essential is tried at most this many times.
constexpr int most_calls = 4;

}  // namespace

/// Nodes whose numbers are near each other are far from each other here (Fibonacci hashing: Knuth,
/// The Art of Computer Programming, volume 3, 6.4).
int DirectMove::messages_before(NodeIndex node) {
    constexpr uint32_t golden = 2654435769U;  // 2^32 by the golden ratio
    const uint32_t hash = node * golden;
    return least_messages + static_cast<int>((uint64_t{hash} * spread) >> 32);
}

Error DirectMove::no_address() const {
    const char* why = parent_.port == 0 ? "the parent does not accept direct links"
                                        : "the address of the parent is not known";
    return Error{ErrorKind::unreachable, "open a direct link", {}, -1, why, {}};
}

DirectMove::DirectMove(any_io_executor executor, std::shared_ptr<FramedLink> link,
                       DirectLinks& links, NodeIndex self, Contact parent, LinkChoice choice,
                       milliseconds limit, Failed failed)
    : executor_(executor),
      link_(std::move(link)),
      links_(links),
      parent_(std::move(parent)),
      choice_(choice),
      limit_(choice == LinkChoice::direct ? limit : std::min(limit, patience::dial_direct)),
      failed_(std::move(failed)),
      changed_(executor),
      enough_messages_(messages_before(self)) {}

bool DirectMove::worth_it() const {
    return choice_ == LinkChoice::direct || expected_ || messages_ >= enough_messages_;
}

/// A refusal at once may have been meant for a stranger.
awaitable<Result<std::unique_ptr<ByteStream>>> DirectMove::call(std::stop_token stop) {
    for (int calls = 1;; ++calls) {
        const auto begin = Clock::now();
        auto direct = co_await links_.dial(parent_, LinkPurpose::move, limit_, stop);
        const bool hung_up = !direct && Clock::now() - begin < patience::word_of_death;
        const bool again = choice_ == LinkChoice::direct && calls < most_calls;
        if (!hung_up || !again || stop.stop_requested()) co_return direct;
        co_await sleep_for(executor_, patience::call_again * calls, stop);
    }
}

awaitable<void> DirectMove::run() {
    const std::stop_token stop = stop_.get_token();
    milliseconds pause = patience::redial;
    link_->when_carried(enough_bytes, [this] { expect_much(); });
    while (!stop.stop_requested() && !link_->closed()) {
        if (!worth_it()) {
            co_await changed_.wait();
            continue;
        }
        if (!parent_.usable()) co_return failed_(no_address());
        auto direct = co_await call(stop);
        if (stop.stop_requested()) co_return;
        if (direct) {
            link_->move_to(std::move(*direct));
            co_return;
        }
        co_await sleep_for(executor_, patience::word_of_death, stop);
        if (stop.stop_requested() || link_->closed()) co_return;
        if (!std::exchange(told_, true)) failed_(direct.error());
        co_await sleep_for(executor_, pause, stop);
        pause = std::min(pause * 2, patience::longest_redial);
    }
}

void DirectMove::stop() {
    stop_.request_stop();
    link_->when_carried(0, nullptr);
    changed_.notify();
}

}  // namespace launch
