// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "core/base/error.hpp"

namespace launch {

/// Takes bytes by the name of what they are for, in their order. May block.
class ByteSink {
  public:
    virtual ~ByteSink() = default;

    /// Adds to what has this name. After an error nothing more is added to anything.
    virtual Status append(const std::string& name, std::string_view bytes) = 0;
    /// As many bytes as are added within seconds, also on a slow disk.
    virtual size_t most_at_once() const { return 1u << 20; }
};

}  // namespace launch
