// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <utility>

#include "core/async/asio.hpp"

namespace launch {

/// Runs a coroutine and all that it starts to the end. An exception that nobody caught, in
/// whichever coroutine, ends the process by std::terminate() there and then: the others would
/// wait for ever for the one that is gone, and cannot be unwound while they use each other.
/// (cmd/ says what it was; our guard ends what we started.)
void run_to_end(asio::io_context& io, awaitable<void> task) noexcept;

/// Awaits a value and stores it in `result`, as tasks that are run return none.
template <class Value>
awaitable<void> keep(awaitable<Value> from, std::optional<Value>& result) {
    result = co_await std::move(from);
}

}  // namespace launch
