#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/base/error.hpp"

namespace launch::guide {

/// Topic names, in the order to show them.
std::vector<std::string_view> topic_names();

/// Of a page's name: a topic's, or "launch" for launch(1). One that there is not is a usage error.
Result<std::string> topic_text(std::string_view name, bool colour);
Result<std::string> manual_of(std::string_view name);

/// What `launch --help` prints.
Result<std::string> screen_text(bool colour);

}  // namespace launch::guide
