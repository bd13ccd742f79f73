// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>

namespace launch {

/// The end of what a remote shell or command said, as one line of at most about `limit` bytes.
std::string last_lines(std::string_view text, size_t limit);

/// The last words of a relay on its standard error; any other text may come from anybody.
std::string last_words(std::string_view text);

}  // namespace launch
