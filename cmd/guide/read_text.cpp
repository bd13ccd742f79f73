// SPDX-License-Identifier: MIT
#include "cmd/guide/page_fault.hpp"
#include "cmd/guide/read_document.hpp"

namespace launch::guide {
namespace {

struct Mark {
    std::string_view sign;
    Style style;
};

constexpr Mark code{"`", Style::code};
constexpr Mark bold{"**", Style::bold};

/// The mark that comes first from here on; null where none does.
const Mark* next_mark(std::string_view words) {
    const size_t tick = words.find(code.sign);
    const size_t stars = words.find(bold.sign);
    if (tick == stars) return nullptr;  // neither is there
    return tick < stars ? &code : &bold;
}

}  // namespace

Result<Text> read_text(std::string_view words) {
    Text text;
    while (!words.empty()) {
        const Mark* mark = next_mark(words);
        const size_t begin = mark == nullptr ? words.size() : words.find(mark->sign);
        if (begin > 0) text.push_back({Style::plain, std::string(words.substr(0, begin))});
        words.remove_prefix(begin);
        if (mark == nullptr) break;
        words.remove_prefix(mark->sign.size());
        const size_t end = words.find(mark->sign);
        if (end == std::string_view::npos)
            return page_fault(std::string(mark->sign) + " without its second");
        if (end == 0) return page_fault("nothing between two " + std::string(mark->sign));
        text.push_back({mark->style, std::string(words.substr(0, end))});
        words.remove_prefix(end + mark->sign.size());
    }
    return text;
}

}  // namespace launch::guide
