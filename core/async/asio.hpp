// SPDX-License-Identifier: MIT
#pragma once

// The one place that names which parts of Asio the project uses.
#include <asio/any_io_executor.hpp>
#include <asio/awaitable.hpp>
#include <asio/buffer.hpp>
#include <asio/co_spawn.hpp>
#include <asio/generic/stream_protocol.hpp>
#include <asio/io_context.hpp>
#include <asio/posix/stream_descriptor.hpp>
#include <asio/post.hpp>
#include <asio/redirect_error.hpp>
#include <asio/signal_set.hpp>
#include <asio/steady_timer.hpp>
#include <asio/use_awaitable.hpp>
#include <system_error>

#include "core/base/clock.hpp"

namespace launch {

using asio::any_io_executor;
using asio::awaitable;

}  // namespace launch
