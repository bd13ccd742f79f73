// SPDX-License-Identifier: MIT
#pragma once

#include "core/head/spawn_ground.hpp"

namespace launch {

/// There is no place for processes that a rank asks for.
class NoGround final : public SpawnGround {
  public:
    awaitable<Result<Place>> place(SpawnSpec, uint32_t) override { co_return none(); }
    awaitable<Status> grow(std::vector<Host>) override { co_return none(); }
    awaitable<Status> release(std::vector<Host>) override { co_return none(); }
    void end() override {}

  private:
    static Error none() { return {ErrorKind::usage, "spawn", {}, -1, "there is no place", {}}; }
};

}  // namespace launch
