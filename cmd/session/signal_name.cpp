#include "cmd/session/signal_name.hpp"

#include <cctype>
#include <charconv>
#include <csignal>
#include <cstring>
#include <optional>

#include "cmd/options/suggest.hpp"
#include "cmd/options/usage_error.hpp"

namespace launch {
namespace {

std::optional<uint32_t> read_number(const std::string& text) {
    uint32_t number = 0;
    const char* end = text.data() + text.size();
    const auto [at, fault] = std::from_chars(text.data(), end, number);
    if (fault != std::errc() || at != end) return std::nullopt;
    return number;
}

/// 0: there is none of that name.
int read_signal(std::string name) {
    if (const auto number = read_number(name))
        return *number < static_cast<uint32_t>(NSIG) ? static_cast<int>(*number) : 0;
    for (char& c : name)
        c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
    if (name.starts_with("SIG")) name.erase(0, 3);
    for (int number = 1; number < NSIG; ++number) {
        const char* known = sigabbrev_np(number);
        if (known != nullptr && name == known) return number;
    }
    return 0;
}

}  // namespace

Result<SignalRequest> read_signal_request(const std::vector<std::string>& words) {
    if (words.size() != 2)
        return usage_error("signal: name a job and a signal, as in: signal 3 TERM");
    const auto job = read_number(words[0]);
    if (!job || *job == 0) return usage_error("signal: " + shown(words[0]) + " is no job's number");
    const int signal = read_signal(words[1]);
    if (signal == 0) return usage_error("signal: " + shown(words[1]) + " is no signal");
    return SignalRequest{JobNumber{*job}, signal};
}

}  // namespace launch
