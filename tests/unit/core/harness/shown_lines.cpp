// SPDX-License-Identifier: MIT
#include "tests/unit/core/harness/shown_lines.hpp"

#include <regex>
#include <sstream>

namespace launch {
namespace {

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
    std::map<std::string, RankName> names;
    for (const auto& [name, life] : ranks.lives)
        names.emplace(name.text(), name);
    std::string word;
    uint32_t number = 0;
    while (fault.empty() && lines >> word >> number) {
        const auto named = names.find(word);
        if (named == names.end()) {
            fault = "a line begins with " + word;
            break;
        }
        const RankName& rank = named->second;
        const uint32_t turn = ++count[rank];
        if (number != turn)
            fault = "line " + std::to_string(number) + " of " + rank_name(rank) +
                    " comes as number " + std::to_string(turn);
        else if (number > ranks.lives.at(rank).lines)
            fault = rank_name(rank) + " has not written line " + std::to_string(number);
    }
    if (fault.empty() && !lines.eof()) fault = "something else is among the output";
}

}  // namespace launch
