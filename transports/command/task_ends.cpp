// SPDX-License-Identifier: MIT
#include "transports/command/task_ends.hpp"

#include <algorithm>
#include <charconv>

namespace launch {
namespace {

constexpr std::string_view task_word = ": task ";
constexpr std::string_view status_word = " exit status ";
constexpr std::string_view hexadecimal = "0x";

/// Lines that are longer are none of pbsdsh's own.
constexpr size_t longest_line = 4096;

template <class Number>
std::optional<Number> take_number(std::string_view& text, int base = 10) {
    Number number{};
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number, base);
    if (error != std::errc()) return std::nullopt;
    text.remove_prefix(static_cast<size_t>(end - text.data()));
    return number;
}

}  // namespace

std::optional<TaskEnd> read_task_end(std::string_view line) {
    const size_t at = line.find(task_word);
    if (at == line.npos) return std::nullopt;
    line.remove_prefix(at + task_word.size());
    const bool is_hexadecimal = line.starts_with(hexadecimal);
    if (is_hexadecimal) line.remove_prefix(hexadecimal.size());
    const auto slot = take_number<size_t>(line, is_hexadecimal ? 16 : 10);
    if (!slot || !line.starts_with(status_word)) return std::nullopt;
    line.remove_prefix(status_word.size());
    const auto code = take_number<int>(line);
    if (!code || *code == 0) return std::nullopt;
    return TaskEnd{*slot, *code};
}

std::vector<TaskEnd> TaskEnds::read(std::string_view piece) {
    std::vector<TaskEnd> found;
    for (size_t end = piece.find('\n'); end != piece.npos; end = piece.find('\n')) {
        begun_ += piece.substr(0, end);
        if (const auto task = read_task_end(begun_)) found.push_back(*task);
        begun_.clear();
        piece.remove_prefix(end + 1);
    }
    begun_ += piece.substr(0, longest_line - std::min(begun_.size(), longest_line));
    return found;
}

}  // namespace launch
