// SPDX-License-Identifier: MIT
#include "transports/command/call.hpp"

#include <algorithm>
#include <utility>

#include "transports/start_error.hpp"

namespace launch {
namespace {

/// Between the last relay's end and that of the program which had started it.
constexpr std::chrono::seconds end_patience{3};

}  // namespace

size_t Call::add(const Host& host) {
    hosts_.push_back(host);
    callers_.emplace_back();
    ++present_;
    return callers_.size() - 1;
}

std::vector<std::string> Call::host_names() const {
    std::vector<std::string> names;
    for (const Host& host : hosts_)
        names.push_back(host.name);
    return names;
}

bool Call::wants_link(const DirectCall& call) {
    return call.purpose == LinkPurpose::attach && call.from >= 1 && call.from <= callers_.size() &&
           callers_[call.from - 1].waits && !callers_[call.from - 1].stream;
}

void Call::direct_link(const DirectCall& call, std::unique_ptr<ByteStream> stream) {
    Caller& caller = callers_[call.from - 1];
    if (caller.waits && !caller.stream) caller.stream = std::move(stream);
    changed_.notify();
}

awaitable<Result<std::unique_ptr<ByteStream>>> Call::wait_for(size_t place, StartRequest request,
                                                              std::string hint) {
    const auto deadline = Clock::now() + request.connect_timeout + request.start_timeout;
    {
        const std::stop_callback stopped(request.stop, [this] { changed_.notify(); });
        while (!callers_[place].stream && !callers_[place].failure &&
               !request.stop.stop_requested() && Clock::now() < deadline)
            co_await changed_.wait_until(deadline);
    }
    callers_[place].waits = false;
    changed_.notify();
    if (callers_[place].stream) co_return std::move(callers_[place].stream);
    Error error = start_error::given_up();
    if (callers_[place].failure) {
        error = *callers_[place].failure;
    } else if (!request.stop.stop_requested()) {
        error =
            start_error::no_answer("call back", request.connect_timeout + request.start_timeout);
        error.hint = std::move(hint);
    }
    error.kind = ErrorKind::unreachable;
    error.host = request.host.name;
    co_return error;
}

bool Call::is_settled() const {
    return std::all_of(callers_.begin(), callers_.end(), [](const Caller& caller) {
        return !caller.waits || caller.stream || caller.failure;
    });
}

awaitable<void> Call::settled() {
    while (!is_settled())
        co_await changed_.wait();
}

void Call::fail(Error error) {
    for (size_t place = 0; place < callers_.size(); ++place)
        fail_host(place, error);
}

void Call::fail_host(size_t place, Error error) {
    Caller& caller = callers_[place];
    if (caller.waits && !caller.stream && !caller.failure) caller.failure = std::move(error);
    changed_.notify();
}

void Call::leave(const std::shared_ptr<Call>& self) {
    if (--present_ > 0 || !child_) return;
    limit_.expires_after(end_patience);
    limit_.async_wait([self](std::error_code ec) {
        if (!ec) self->child_->close();
    });
}

}  // namespace launch
