// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <sys/types.h>

#include "core/base/error.hpp"
#include "core/base/fd.hpp"

namespace launch {

/// A process that goes on in the background when it is ready, and the one that waits for that.
/// Until then the background process has the standard streams, and signals of the terminal and of
/// others are passed on to it.
class Background {
  public:
    /// Whether the background process ends when the foreground process has ended.
    enum class Alone { goes_on, ends };
    /// Before any thread exists.
    static Result<Background> split(Alone alone);
    bool is_background() const { return child_ == 0; }

    /// In the background: it is, with this to tell. The standard streams are let go of. False:
    /// there is nobody to tell.
    bool ready(const std::string& text);

    /// In the other: waits for ready(); nothing: it has ended, with exit_code().
    std::optional<std::string> wait();
    int exit_code() const { return exit_code_; }
    /// It is to end, and has.
    void stop();

  private:
    Background(pid_t child, UniqueFd pipe) : child_(child), pipe_(std::move(pipe)) {}

    std::string read_passing_signals(int signals) const;
    void reap();

    pid_t child_;
    UniqueFd pipe_;
    int exit_code_ = 0;
};

}  // namespace launch
