// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <functional>
#include <string>

namespace launch {

/// The text that `answer` sent from a process of its own, because `answer` may crash, hang in the
/// kernel, or load libraries that this process must not load. `answer` gets a function that sends
/// text at once. `in_time` is true if the process ended before the deadline; a process that cannot
/// be killed is left behind. Call it only in a process without threads.
struct AnswerInTime {
    std::string text;
    bool in_time = false;
};
using Send = std::function<void(const std::string& text)>;
AnswerInTime ask_within(std::chrono::milliseconds limit,
                        const std::function<void(const Send&)>& answer);

}  // namespace launch
