// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>

#include "core/base/fd.hpp"

namespace launch {

/// A TCP port of this host that nobody had, kept until this is gone: then whoever was told of it
/// may listen there. If possible below those that the kernel gives to connections, since it might
/// give it to one in between.
class HeldPort {
  public:
    /// Nothing: there is none.
    static std::optional<HeldPort> find();

    uint16_t number() const { return number_; }

  private:
    HeldPort(UniqueFd socket, uint16_t number) : socket_(std::move(socket)), number_(number) {}

    UniqueFd socket_;
    uint16_t number_;
};

}  // namespace launch
