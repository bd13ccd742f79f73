// SPDX-License-Identifier: MIT
#include "core/base/seconds.hpp"

namespace launch {

std::string in_seconds(std::chrono::milliseconds time) {
    const auto whole = time.count() / 1000;
    const auto rest = time.count() % 1000;
    std::string text = std::to_string(whole);
    if (rest != 0) {
        text += '.' + std::to_string(1000 + rest).substr(1);
        text.erase(text.find_last_not_of('0') + 1);
    }
    return text + " s";
}

}  // namespace launch
