#include "core/stage/feed.hpp"

namespace launch {

bool StageFeed::wanted(std::string_view payload) {
    const auto message = WantedMessage::decode(payload);
    if (!message || !cursor_.wanted(*message)) return false;
    shelf_.changed().notify();
    return true;
}

awaitable<void> StageFeed::run(Send send) {
    while (!stopped_) {
        if (!cursor_.may_send(shelf_.available())) {
            co_await shelf_.changed().wait();
            continue;
        }
        const uint64_t number = cursor_.next();
        std::string segment = shelf_.read(number);
        if (segment.empty()) co_return;
        const bool sent = co_await send(std::move(segment));
        if (sent)
            cursor_.sent(number);
        else if (!stopped_)
            co_await shelf_.changed().wait();
    }
}

void StageFeed::stop() {
    stopped_ = true;
    shelf_.changed().notify();
}

}  // namespace launch
