// SPDX-License-Identifier: MIT
#pragma once

#include "core/async/asio.hpp"

namespace launch {

/// Catches the signals that the head handles, except those that were ignored when launch started
/// (nohup, a shell's background job).
class SignalWatch {
  public:
    explicit SignalWatch(any_io_executor executor);

    /// The next one; 0 after cancel().
    awaitable<int> next();
    void cancel();

  private:
    asio::signal_set signals_;
    bool cancelled_ = false;
};

}  // namespace launch
