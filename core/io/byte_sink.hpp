#pragma once

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
};

}  // namespace launch
