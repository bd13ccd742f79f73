// SPDX-License-Identifier: MIT
#include "core/async/turns.hpp"

namespace launch {

void Turns::notify() {
    if (!line_->empty()) line_->front()->timer_.cancel();
}

void Turns::notify_all() {
    for (Place* place : *line_)
        place->timer_.cancel();
}

Turns::Place::Place(Turns& turns)
    : line_(turns.line_),
      self_(line_->insert(line_->end(), this)),
      timer_(turns.executor_, Clock::time_point::max()) {}

Turns::Place::~Place() {
    const bool was_first = is_first();
    line_->erase(self_);
    if (was_first && !line_->empty()) line_->front()->timer_.cancel();
}

awaitable<void> Turns::Place::wait() {
    std::error_code ec;
    auto token = asio::redirect_error(asio::use_awaitable, ec);
    co_await timer_.async_wait(token);
}

}  // namespace launch
