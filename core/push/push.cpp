// SPDX-License-Identifier: MIT
#include "core/push/push.hpp"

#include <algorithm>
#include <charconv>
#include <vector>

#include "core/push/bootstrap.hpp"

namespace launch {
namespace {

/// Read and handed on at once: a node sends to all its children side by side, and what queues it
/// keeps room for as much.
constexpr size_t bite_size = 16u << 10;

}  // namespace

awaitable<bool> Push::write_all(std::span<const char> bytes) {
    while (!bytes.empty()) {
        const size_t n = co_await stream_.write_some(bytes);
        if (n == 0) co_return false;
        bytes = bytes.subspan(n);
    }
    co_return true;
}

awaitable<Status> Push::begin(std::chrono::seconds limit) {
    watch_.progress();
    const std::string line = bootstrap_line({image_.size(), image_.checksum(), limit});
    const bool written = co_await write_all(line);
    if (!written) co_return Ok{};
    co_return co_await send_piece();
}

awaitable<Status> Push::go_on(std::string_view has) {
    uint64_t taken = 0;
    std::from_chars(has.data(), has.data() + has.size(), taken);
    if (taken != sent_ || taken == taken_) co_return Ok{};  // nothing of ours speaks so
    taken_ = taken;
    watch_.progress();
    co_return co_await send_piece();
}

awaitable<Status> Push::send_piece() {
    const uint64_t end = std::min(image_.size(), sent_ + push_piece);
    std::vector<char> bite;
    while (sent_ < end) {
        bite.resize(std::min<uint64_t>(bite_size, end - sent_));
        auto read = image_.read(bite, sent_);
        if (!read) co_return read;
        const bool written = co_await write_all(bite);
        if (!written) co_return Ok{};
        sent_ += bite.size();
    }
    co_return Ok{};
}

}  // namespace launch
