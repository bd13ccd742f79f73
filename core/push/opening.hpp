// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace launch {

/// Begins each line of the bootstrap script, which never has it in one piece in its own text: a
/// shell that shows what it runs is not taken for one that asks.
inline constexpr std::string_view push_mark = "launch-push-7c1e0f4a9b";

/// The first bytes from a host on which launch is to run: perhaps noise of its login shell, then
/// the greeting of a relay, or a line of the bootstrap script (bootstrap.hpp):
///
///     MARK asks MACHINE           send it; uname -m there
///     MARK has N                  so many bytes of it are written
///     MARK fails KIND WORDS...    see push_error.hpp
///
/// Sans I/O: takes bytes as they come, cut anywhere. Memory is bounded by max_noise.
class Opening {
  public:
    enum class State : uint8_t {
        waiting,
        greets,    ///< a relay's link begins
        asks,      ///< words() are the machine
        has,       ///< words() are the number
        fails,     ///< words() are kind and cause
        hopeless,  ///< too much that is neither
    };

    State feed(std::string_view bytes);
    const std::string& words() const { return words_; }
    /// All bytes except the script's lines, for the parser of the link.
    std::string take() { return std::move(bytes_); }

  private:
    State take_line(size_t begin, size_t end);

    std::string bytes_;
    size_t searched_ = 0;  ///< nothing begins before it
    std::string words_;
};

}  // namespace launch
