// SPDX-License-Identifier: MIT
#include "core/head/input.hpp"

#include <algorithm>

namespace launch {
namespace {

constexpr size_t largest_read = 64u << 10;

}  // namespace

InputCarrier::InputCarrier(any_io_executor executor, JobTree& tree, ByteSource& source)
    : tree_(tree), source_(source), changed_(executor), tasks_(executor) {}

void InputCarrier::wanted(uint64_t granted) {
    granted_ = std::max(granted_, granted);
    if (!carries_ && !stopped_) {
        carries_ = true;
        tasks_.spawn(carry());
    }
    changed_.notify();
}

void InputCarrier::refused() {
    if (carries_) source_.stop();
    changed_.notify();
}

void InputCarrier::stop() {
    stopped_ = true;
    source_.stop();
    changed_.notify();
}

awaitable<void> InputCarrier::carry() {
    while (!stopped_) {
        if (given_ >= granted_) {
            co_await changed_.wait();
            continue;
        }
        const size_t limit = std::min<uint64_t>(granted_ - given_, largest_read);
        reading_ = true;
        const std::string bytes = co_await source_.read(limit);
        reading_ = false;
        if (stopped_) co_return;
        tree_.give_input(bytes);
        if (bytes.empty()) co_return;
        given_ += bytes.size();
    }
}

}  // namespace launch
