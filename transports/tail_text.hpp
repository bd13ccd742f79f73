// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>

namespace launch {

/// Keeps the end of what a command said on its standard error: bounded, whatever it says.
class TailText {
  public:
    static constexpr size_t limit = 4096;

    void append(std::string_view bytes) {
        text_.append(bytes);
        if (text_.size() > 2 * limit) text_.erase(0, text_.size() - limit);
    }
    std::string text() const {
        return text_.size() > limit ? text_.substr(text_.size() - limit) : text_;
    }

  private:
    std::string text_;
};

}  // namespace launch
