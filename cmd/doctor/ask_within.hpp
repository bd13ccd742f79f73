// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <functional>
#include <string>

namespace launch {

/// What `answer` returns, asked in a process of its own, as it may crash, or hang in the kernel, or
/// load what is not wanted here. `answer` is called with a function that sends text at once. All
/// that was sent within the time; `in_time` says whether the process came to its end. A process
/// that nothing ends is left behind. Not in a process that has threads.
struct AnswerInTime {
    std::string text;
    bool in_time = false;
};
using Send = std::function<void(const std::string& text)>;
AnswerInTime ask_within(std::chrono::milliseconds limit,
                        const std::function<void(const Send&)>& answer);

}  // namespace launch
