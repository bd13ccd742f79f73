#include "core/relay/uplink.hpp"

#include <algorithm>
#include <cstdlib>

namespace launch {
namespace {

using std::chrono::milliseconds;

/// An address that the transport came from answers at once or is behind a firewall.
constexpr milliseconds dial_limit{2000};
constexpr milliseconds first_pause{5000};
constexpr milliseconds longest_pause{60'000};

}  // namespace

Uplink::Uplink(any_io_executor executor, FramedLink& link, DirectLinks& links, Contact parent,
               LinkChoice choice, Failed failed)
    : executor_(executor),
      link_(link),
      links_(links),
      parent_(std::move(parent)),
      choice_(choice),
      failed_(std::move(failed)),
      changed_(executor) {}

bool Uplink::worth_it() const {
    return choice_ == LinkChoice::direct || messages_ >= enough_messages ||
           link_.traffic() >= enough_bytes;
}

awaitable<void> Uplink::run() {
    const std::stop_token stop = stop_.get_token();
    milliseconds pause = first_pause;
    while (!stop.stop_requested()) {
        if (!worth_it()) {
            co_await changed_.wait();
            continue;
        }
        auto direct = co_await links_.dial(parent_, dial_limit, stop);
        if (stop.stop_requested()) co_return;
        if (direct) {
            link_.move_to(std::move(*direct));
            co_return;
        }
        if (!std::exchange(told_, true)) failed_(direct.error());
        co_await sleep_for(executor_, pause, stop);
        pause = std::min(pause * 2, longest_pause);
    }
}

void Uplink::stop() {
    stop_.request_stop();
    changed_.notify();
}

std::string caller_address() {
    const char* connection = std::getenv("SSH_CONNECTION");  // "client port server port"
    const std::string_view text = connection != nullptr ? connection : "";
    return std::string(text.substr(0, text.find(' ')));
}

}  // namespace launch
