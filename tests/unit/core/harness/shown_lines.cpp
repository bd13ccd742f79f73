// SPDX-License-Identifier: MIT
#include "tests/unit/core/harness/shown_lines.hpp"

#include <optional>
#include <regex>
#include <sstream>

namespace launch {
namespace {

/// Reads whose line of output it is by its first word. Nothing: no rank has such a name.
std::optional<RankName> read_name(const std::string& word) {
    std::istringstream in(word);
    uint32_t first = 0;
    uint32_t second = 0;
    char dot = 0;
    if (!(in >> first)) return std::nullopt;
    if (in.eof()) return RankName(first);
    if (!(in >> dot >> second) || dot != '.') return std::nullopt;
    return RankName(first, second);
}

uint32_t to_number(const std::string& digits) {
    return static_cast<uint32_t>(std::stoul(digits));
}

}  // namespace

std::string rank_name(const RankName& rank) {
    return "rank " + rank.text();
}

std::set<uint32_t> named_ranks(const std::string& messages, const std::string& then) {
    const std::regex list("ranks? ([0-9][-0-9,]*)(?![.0-9])" + then);
    static const std::regex range("([0-9]+)(?:-([0-9]+))?");
    std::set<uint32_t> ranks;
    const std::sregex_iterator end;
    for (std::sregex_iterator each(messages.begin(), messages.end(), list); each != end; ++each) {
        const std::string numbers = (*each)[1];
        for (std::sregex_iterator part(numbers.begin(), numbers.end(), range); part != end;
             ++part) {
            const uint32_t first = to_number((*part)[1]);
            const uint32_t last = (*part)[2].matched ? to_number((*part)[2]) : first;
            for (uint32_t rank = first; rank <= last; ++rank)
                ranks.insert(rank);
        }
    }
    return ranks;
}

ShownLines::ShownLines(const PlayedUser& user, const RankBook& ranks) {
    const std::string& out = user.out();
    const size_t finished = out.rfind('\n') + 1;
    if (finished < out.size() && !user.has_missed_output()) fault = "the output ends within a line";
    std::istringstream lines(out.substr(0, finished));
    std::string word;
    uint32_t number = 0;
    while (fault.empty() && lines >> word >> number) {
        const auto rank = read_name(word);
        if (!rank) {
            fault = "a line begins with " + word;
            break;
        }
        const uint32_t turn = ++count[*rank];
        const auto life = ranks.lives.find(*rank);
        if (number != turn)
            fault = "line " + std::to_string(number) + " of " + rank_name(*rank) +
                    " comes as number " + std::to_string(turn);
        else if (life == ranks.lives.end() || number > life->second.lines)
            fault = rank_name(*rank) + " has not written line " + std::to_string(number);
    }
    if (fault.empty() && !lines.eof()) fault = "something else is among the output";
}

}  // namespace launch
