// SPDX-License-Identifier: MIT
#include "core/session/session_log.hpp"

#include <array>
#include <ctime>

#include "core/base/unix_time.hpp"

namespace launch {
namespace {

constexpr size_t most_lines = 1000;

std::string time_now() {
    const auto now = static_cast<std::time_t>(unix_seconds_now());
    std::tm parts{};
    localtime_r(&now, &parts);
    std::array<char, 32> text{};
    const size_t size = std::strftime(text.data(), text.size(), "%Y-%m-%d %H:%M:%S", &parts);
    return {text.data(), size};
}

}  // namespace

void SessionLog::add(const std::string& line) {
    std::string entry = time_now() + " " + line;
    if (lines_.size() < most_lines) return lines_.push_back(std::move(entry));
    lines_[oldest_] = std::move(entry);
    oldest_ = (oldest_ + 1) % most_lines;
}

std::vector<std::string> SessionLog::lines() const {
    std::vector<std::string> lines(lines_.begin() + static_cast<std::ptrdiff_t>(oldest_),
                                   lines_.end());
    lines.insert(lines.end(), lines_.begin(),
                 lines_.begin() + static_cast<std::ptrdiff_t>(oldest_));
    return lines;
}

}  // namespace launch
