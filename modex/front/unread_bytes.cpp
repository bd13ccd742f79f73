// SPDX-License-Identifier: MIT
#include "modex/front/unread_bytes.hpp"

#include <algorithm>

namespace launch {

void UnreadBytes::feed(std::string_view bytes) {
    bytes_.erase(0, begin_);
    searched_ -= std::min(searched_, begin_);
    begin_ = 0;
    bytes_.append(bytes);
}

std::optional<std::string_view> UnreadBytes::take_line() {
    const size_t end = bytes_.find('\n', std::max(begin_, searched_));
    if (end == std::string::npos) {
        searched_ = bytes_.size();
        return std::nullopt;
    }
    const auto line = std::string_view(bytes_).substr(begin_, end - begin_);
    begin_ = end + 1;
    return line;
}

}  // namespace launch
