// SPDX-License-Identifier: MIT
#include "transports/backoff.hpp"

#include <array>

namespace launch {
namespace {

constexpr std::array<int, 4> pauses_ms{100, 300, 800, 2000};
/// 0.1 + 0.3 + 0.8 s: a port that is refused for longer will not open while we wait.
constexpr int most_refusals = 4;

}  // namespace

std::optional<Backoff::Milliseconds> Backoff::next(Retry retry) {
    if (retry == Retry::no || tries_ > static_cast<int>(pauses_ms.size())) return std::nullopt;
    if (retry == Retry::refused && tries_ >= most_refusals) return std::nullopt;
    const int pause = pauses_ms[static_cast<size_t>(tries_ - 1)];
    ++tries_;
    std::uniform_int_distribution<int> jitter(pause / 2, pause * 3 / 2);
    return Milliseconds(jitter(random_));
}

Error Backoff::explain(Error error) const {
    if (tries_ > 1) error.cause += "; tried " + std::to_string(tries_) + " times";
    return error;
}

}  // namespace launch
