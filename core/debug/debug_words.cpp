// SPDX-License-Identifier: MIT
#include "core/debug/debug_words.hpp"

#include "core/job/rank_list.hpp"

namespace launch {
namespace {

std::string escaped(std::string_view text) {
    std::string out;
    for (const char c : text) {
        if (c == '\\')
            out += "\\\\";
        else if (c == '\n')
            out += "\\n";
        else
            out += c;
    }
    return out;
}

std::string unescaped(std::string_view text) {
    std::string out;
    for (size_t i = 0; i < text.size(); ++i) {
        const bool escape = text[i] == '\\' && i + 1 < text.size();
        if (!escape)
            out += text[i];
        else
            out += text[++i] == 'n' ? '\n' : text[i];
    }
    return out;
}

}  // namespace

std::string DebugRecord::encode() const {
    return std::string(1, static_cast<char>(kind)) + escaped(text) + "\n";
}

std::optional<DebugRecord> DebugRecord::decode(std::string_view line) {
    if (line.empty() || std::string_view("apoef").find(line[0]) == std::string_view::npos)
        return std::nullopt;
    return DebugRecord{static_cast<Kind>(line[0]), unescaped(line.substr(1))};
}

bool DebugOrder::is_for(uint32_t rank) const {
    const auto runs = read_ranks(ranks);
    return runs && has_rank(*runs, rank);
}

std::string DebugOrder::encode() const {
    return std::string(1, static_cast<char>(kind)) + ranks + " " + escaped(text) + "\n";
}

std::optional<DebugOrder> DebugOrder::decode(std::string_view line) {
    const auto space = line.find(' ');
    if (space == std::string_view::npos || (line[0] != 't' && line[0] != 'i')) return std::nullopt;
    return DebugOrder{static_cast<Kind>(line[0]), std::string(line.substr(1, space - 1)),
                      unescaped(line.substr(space + 1))};
}

std::vector<std::string> debugged_command(const std::string& debugger, uint32_t rank,
                                          const std::vector<std::string>& program) {
    std::vector<std::string> words{"/proc/self/exe", debugged_word, debugger, std::to_string(rank)};
    words.insert(words.end(), program.begin(), program.end());
    return words;
}

}  // namespace launch
