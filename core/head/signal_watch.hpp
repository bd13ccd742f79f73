// SPDX-License-Identifier: MIT
#pragma once

#include "core/async/asio.hpp"
#include "core/head/user_side.hpp"

namespace launch {

/// Catches the signals that the head handles, except those that were ignored when launch started
/// (nohup, a shell's background job).
class SignalWatch final : public SignalSource {
  public:
    explicit SignalWatch(any_io_executor executor);

    awaitable<int> next() override;
    void cancel() override;

  private:
    asio::signal_set signals_;
    bool cancelled_ = false;
};

}  // namespace launch
