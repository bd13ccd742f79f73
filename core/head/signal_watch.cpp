// SPDX-License-Identifier: MIT
#include "core/head/signal_watch.hpp"

#include <csignal>

#include "core/process/status_signal.hpp"

namespace launch {

SignalWatch::SignalWatch(any_io_executor executor) : signals_(executor) {
    for (const int number : {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGUSR1, SIGUSR2, SIGTSTP, SIGCONT,
                             SIGWINCH, status_signal()}) {
        struct sigaction before {};
        sigaction(number, nullptr, &before);
        if (before.sa_handler != SIG_IGN) signals_.add(number);
    }
}

awaitable<int> SignalWatch::next() {
    std::error_code ec;
    auto token = asio::redirect_error(asio::use_awaitable, ec);
    const int number = co_await signals_.async_wait(token);
    co_return ec || cancelled_ ? 0 : number;
}

void SignalWatch::cancel() {
    cancelled_ = true;
    signals_.cancel();
}

}  // namespace launch
