// SPDX-License-Identifier: MIT
#include "core/stage/feed.hpp"

namespace launch {

bool StageFeed::wanted(std::string_view payload) {
    const auto message = WantedMessage::decode(payload);
    if (!message || !cursor_.wanted(*message)) return false;
    shelf_->changed().notify();
    return true;
}

awaitable<void> StageFeed::run(Send send) {
    const std::stop_token stop = stop_.get_token();
    while (!stop.stop_requested()) {
        if (!cursor_.may_send(shelf_->available())) {
            co_await shelf_->changed().wait();
            continue;
        }
        const uint64_t number = cursor_.next();
        std::string segment = co_await shelf_->read(number, stop);
        if (segment.empty()) co_return;
        if (cursor_.next() != number) continue;  // it has asked anew meanwhile
        const bool sent = co_await send(std::move(segment));
        if (sent)
            cursor_.sent(number);
        else if (!stop.stop_requested())
            co_await shelf_->changed().wait();
    }
}

void StageFeed::stop() {
    stop_.request_stop();
    shelf_->changed().notify();
}

}  // namespace launch
