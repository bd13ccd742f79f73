// SPDX-License-Identifier: MIT
#pragma once

#include "core/run/rank.hpp"

namespace launch {

/// The start of a rank without a process: it takes no time.
class ScriptedStart final : public RankStart {
  public:
    void run() override {}
    void kill() override { killed = true; }
    pid_t pid() const override { return 0; }

    bool killed = false;
};

}  // namespace launch
