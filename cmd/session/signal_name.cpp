// SPDX-License-Identifier: MIT
#include "cmd/session/signal_name.hpp"

#include <cctype>
#include <csignal>
#include <cstring>

#include "cmd/options/suggest.hpp"
#include "cmd/session/job_number.hpp"
#include "core/job/rank_list.hpp"

namespace launch {
namespace {

/// Returns the number of a signal; 0: no signal has this name.
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

std::vector<std::string> signal_names() {
    std::vector<std::string> names;
    for (int number = 1; number < NSIG; ++number)
        if (const char* known = sigabbrev_np(number)) names.emplace_back(known);
    return names;
}

Result<SignalRequest> read_signal_request(const Asked& asked) {
    const auto& words = asked.words;
    const auto job = read_job_number(asked);
    if (!job) return job.error();
    const int signal = read_signal(words[1]);
    if (signal == 0) return asked.wrong(shown(words[1]) + " is not a signal");
    SignalRequest request{*job, {signal}};
    if (words.size() == 2) return request;
    auto ranks = read_ranks(words[2]);
    if (!ranks) return asked.wrong(shown(words[2]) + " is not a list of ranks such as 0-3,7");
    request.order.ranks = *std::move(ranks);
    return request;
}

}  // namespace launch
