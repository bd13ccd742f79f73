// SPDX-License-Identifier: MIT
#include "cmd/session/job_words.hpp"

#include <cctype>
#include <csignal>
#include <cstring>

#include "cmd/options/usage_error.hpp"
#include "core/base/number_text.hpp"
#include "core/job/rank_list.hpp"

namespace launch {
namespace {

/// Returns the number of a signal; 0: no signal has this name.
int read_signal(std::string name) {
    if (const auto number = parse_number<uint32_t>(name))
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

Result<JobNumber> read_job_number(const Asked& asked) {
    const auto number = parse_number<uint32_t>(asked.words.front());
    if (number && *number != 0) return JobNumber{*number};
    return asked.wrong(shown(asked.words.front()) + " is not a job number");
}

Result<std::vector<RankRun>> read_rank_word(const Asked& asked, size_t place) {
    if (asked.words.size() <= place) return std::vector<RankRun>();
    const std::string& word = asked.words[place];
    auto ranks = read_ranks(word);
    if (!ranks) return asked.wrong(shown(word) + " is not a list of ranks such as 0-3,7");
    return *std::move(ranks);
}

std::vector<std::string> signal_names() {
    std::vector<std::string> names;
    for (int number = 1; number < NSIG; ++number)
        if (const char* known = sigabbrev_np(number)) names.emplace_back(known);
    return names;
}

Result<SignalMessage> read_signal_words(const Asked& asked) {
    const int signal = read_signal(asked.words[1]);
    if (signal == 0) return asked.wrong(shown(asked.words[1]) + " is not a signal");
    auto ranks = read_rank_word(asked, 2);
    if (!ranks) return ranks.error();
    return SignalMessage{signal, *std::move(ranks)};
}

}  // namespace launch
