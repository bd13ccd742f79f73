// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>

#include "core/base/fd.hpp"

namespace launch {

/// A free TCP port of this host, held until this object is destroyed: then a rank that knows the
/// number may listen there. If possible it is below the ports that the kernel gives to connections,
/// because the kernel might give it away in between.
class HeldPort {
  public:
    /// Nothing: no port is free.
    static std::optional<HeldPort> find();

    uint16_t number() const { return number_; }

  private:
    HeldPort(UniqueFd socket, uint16_t number) : socket_(std::move(socket)), number_(number) {}

    UniqueFd socket_;
    uint16_t number_;
};

}  // namespace launch
