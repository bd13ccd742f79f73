// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace launch {

/// The bytes that a rank may send before it gets an answer. Programs wait for each answer, so only
/// a hostile or broken one comes near this limit.
inline constexpr size_t max_unread = 256u << 10;

/// Bytes of a rank that are not parsed yet. Views into them are valid until the next feed().
class UnreadBytes {
  public:
    void feed(std::string_view bytes);
    std::string_view view() const { return std::string_view(bytes_).substr(begin_); }
    void consume(size_t n) { begin_ += n; }
    /// Consumes the first line and gives it without its newline. Nothing: it is not whole yet.
    std::optional<std::string_view> take_line();
    bool too_many() const { return bytes_.size() - begin_ > max_unread; }

  private:
    std::string bytes_;
    size_t begin_ = 0;
    size_t searched_ = 0;  ///< there is no newline between begin_ and here
};

}  // namespace launch
