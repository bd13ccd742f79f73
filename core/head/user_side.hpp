// SPDX-License-Identifier: MIT
#pragma once

#include <memory>

#include "core/io/byte_source.hpp"
#include "core/io/screen_writer.hpp"

namespace launch {

/// The standard output and error of a head.
struct Screen {
    std::unique_ptr<ScreenWriter> out;
    std::unique_ptr<ScreenWriter> err;  ///< null: both are one file
};

/// Signals that come for the head.
class SignalSource {
  public:
    virtual ~SignalSource() = default;

    /// The next one; 0 after cancel().
    virtual awaitable<int> next() = 0;
    virtual void cancel() = 0;
};

/// All that goes between a job's head and its user.
struct UserSide {
    Screen screen;
    std::unique_ptr<ByteSource> input;
    std::unique_ptr<SignalSource> signals;
};

/// This process has them from whoever started it.
Screen own_screen(const any_io_executor& executor);
UserSide own_user_side(const any_io_executor& executor);

}  // namespace launch
