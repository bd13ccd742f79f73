// SPDX-License-Identifier: MIT
#include "core/push/opening.hpp"

#include <algorithm>

#include "core/wire/frame.hpp"

namespace launch {
namespace {

constexpr size_t longest_mark = std::max(push_mark.size(), link_magic.size());

/// Takes the word, and the blank after it, off the text.
bool take_word(std::string_view& text, std::string_view word) {
    if (!text.starts_with(word)) return false;
    text.remove_prefix(word.size());
    return true;
}

}  // namespace

Opening::State Opening::feed(std::string_view bytes) {
    bytes_.append(bytes);
    const size_t link = bytes_.find(link_magic, searched_);
    const size_t mark = bytes_.find(push_mark, searched_);
    if (link < mark) return State::greets;
    if (mark == std::string::npos) {
        searched_ = std::max(searched_, bytes_.size() - std::min(bytes_.size(), longest_mark - 1));
        return bytes_.size() > max_noise ? State::hopeless : State::waiting;
    }
    searched_ = mark;
    const size_t end = bytes_.find('\n', mark);
    if (end != std::string::npos) return take_line(mark, end);
    return bytes_.size() > max_noise ? State::hopeless : State::waiting;
}

Opening::State Opening::take_line(size_t begin, size_t end) {
    std::string_view line(bytes_.data() + begin, end - begin);
    line.remove_prefix(push_mark.size());
    State state = State::waiting;
    if (take_word(line, " asks ")) state = State::asks;
    if (take_word(line, " has ")) state = State::has;
    if (take_word(line, " fails ")) state = State::fails;
    if (state == State::waiting) {  // not ours after all
        searched_ = end;
        return feed({});
    }
    words_ = line;
    bytes_.erase(begin, end + 1 - begin);
    return state;
}

}  // namespace launch
