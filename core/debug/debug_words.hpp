// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace launch {

/// A line that the process beside the debugger of a rank writes to its standard output: a letter
/// for the kind, and a text in which "\n" stands for the end of a line and "\\" for a backslash.
struct DebugRecord {
    enum class Kind : char {
        answer = 'a',  ///< a line of the debugger, without its end
        prompt = 'p',  ///< it waits for a command
        out = 'o',     ///< bytes that the program has written to its standard output
        err = 'e',     ///< and to its standard error
        fault = 'f',   ///< the debugger cannot go on; the text says why
    };
    Kind kind = Kind::answer;
    std::string text{};

    std::string encode() const;
    /// A line without its end. Nothing: it is no record.
    static std::optional<DebugRecord> decode(std::string_view line);
    bool operator==(const DebugRecord&) const = default;
};

/// A line that the head writes to the standard input of all ranks. The end of that input ends their
/// debuggers.
struct DebugOrder {
    enum class Kind : char {
        type = 't',       ///< this line is a command for the debugger
        interrupt = 'i',  ///< the program is to stop, and the debugger to wait for a command
    };
    Kind kind = Kind::type;
    std::string ranks{};  ///< "0-3,9" (fold_numbers()); other ranks ignore it
    std::string text{};

    bool is_for(uint32_t rank) const;
    std::string encode() const;
    /// A line without its end. Nothing: it is no order.
    static std::optional<DebugOrder> decode(std::string_view line);
    bool operator==(const DebugOrder&) const = default;
};

/// Takes apart bytes that come in pieces. Keeps a line that has no end yet.
class LineSplitter {
  public:
    /// Calls `take` with each line that is complete, without its end.
    template <class Take>
    void feed(std::string_view bytes, Take take) {
        for (;;) {
            const auto end = bytes.find('\n');
            if (end == std::string_view::npos) break;
            rest_.append(bytes.substr(0, end));
            take(std::string_view(rest_));
            rest_.clear();
            bytes.remove_prefix(end + 1);
        }
        rest_.append(bytes);
    }
    const std::string& rest() const { return rest_; }
    /// Returns what has no end yet, and forgets it.
    std::string take_rest() { return std::exchange(rest_, {}); }

  private:
    std::string rest_;
};

/// The role of the executable that runs the debugger of a rank: the first of its words.
inline constexpr const char* debugged_word = "__debugged";

/// The words of a command that runs this executable in that role, for the rank with this program.
std::vector<std::string> debugged_command(const std::string& debugger, uint32_t rank,
                                          const std::vector<std::string>& program);

}  // namespace launch
