// SPDX-License-Identifier: MIT
#include "core/io/line_assembler.hpp"

#include <algorithm>

namespace launch {

void LineAssembler::emit(std::string_view bytes, std::string& out) {
    if (label_.empty()) {
        out.append(bytes);
        return;
    }
    while (!bytes.empty()) {
        if (at_line_start_) label_.append_to(out);
        const size_t end = std::min(bytes.find('\n'), bytes.size() - 1);
        out.append(bytes.substr(0, end + 1));
        at_line_start_ = bytes[end] == '\n';
        bytes.remove_prefix(end + 1);
    }
}

void LineAssembler::feed(std::string_view bytes, std::string& out) {
    if (!whole_lines_) {
        out.append(bytes);
        return;
    }
    const size_t last = bytes.rfind('\n');
    if (last != std::string_view::npos) {
        emit(partial_, out);
        partial_.clear();
        emit(bytes.substr(0, last + 1), out);
        bytes.remove_prefix(last + 1);
    }
    partial_.append(bytes);
    if (partial_.size() > max_line) flush(out);
}

void LineAssembler::flush(std::string& out) {
    emit(partial_, out);
    partial_.clear();
}

void LineAssembler::finish(std::string& out) {
    flush(out);
    // A label is for a person: the next rank's is to begin a line.
    if (!at_line_start_) out.push_back('\n');
}

std::string_view cut_at_line(std::string_view text, size_t limit) {
    if (text.size() <= limit) return text;
    const size_t last = text.rfind('\n', limit - 1);
    return text.substr(0, last == std::string_view::npos ? limit : last + 1);
}

}  // namespace launch
