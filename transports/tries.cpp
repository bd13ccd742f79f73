// SPDX-License-Identifier: MIT
#include "transports/tries.hpp"

#include "core/async/timer.hpp"
#include "transports/start_error.hpp"

namespace launch {

awaitable<Tries::Started> Tries::start(StartRequest request, Once once) {
    const auto pass = co_await gate_.enter(request.stop);
    if (!pass) co_return start_error::given_up(request.host.name);
    const auto deadline = Clock::now() + request.start_timeout;
    Backoff backoff(static_cast<uint32_t>(Clock::now().time_since_epoch().count()));
    for (;;) {
        Try tried = co_await once(request, deadline);
        if (tried.stream) co_return std::move(tried.stream);
        Error& failure = tried.failure.error;
        Error error = tried.is_told ? std::move(failure) : backoff.explain(std::move(failure));
        error.kind = ErrorKind::unreachable;
        error.host = request.host.name;
        const auto pause = backoff.next(tried.failure.retry);
        if (!pause || Clock::now() + *pause >= deadline) co_return error;
        co_await sleep_for(executor_, *pause, request.stop);
        if (request.stop.stop_requested()) co_return error;
    }
}

}  // namespace launch
