// SPDX-License-Identifier: MIT
#include "cmd/render/json_writer.hpp"

#include "cmd/render/json_text.hpp"

namespace launch {

void JsonWriter::separate() {
    if (!after_key_ && !levels_.empty()) {
        if (!levels_.back().empty) text_ += on_new_line_ ? "," : ", ";
        levels_.back().empty = false;
    }
    if (on_new_line_) text_ += "\n" + std::string(2 * levels_.size(), ' ');
    after_key_ = on_new_line_ = false;
}

JsonWriter& JsonWriter::begin(char open, char close) {
    separate();
    text_ += open;
    levels_.push_back({close});
    return *this;
}

JsonWriter& JsonWriter::end() {
    if (on_new_line_) text_ += "\n" + std::string(2 * (levels_.size() - 1), ' ');
    on_new_line_ = false;
    text_ += levels_.back().close;
    levels_.pop_back();
    return *this;
}

JsonWriter& JsonWriter::key(std::string_view name) {
    separate();
    text_ += json_string(name) + ": ";
    after_key_ = true;
    return *this;
}

JsonWriter& JsonWriter::string(std::string_view text) {
    separate();
    text_ += json_string(text);
    return *this;
}

JsonWriter& JsonWriter::number(uint64_t number) {
    separate();
    text_ += std::to_string(number);
    return *this;
}

JsonWriter& JsonWriter::boolean(bool truth) {
    separate();
    text_ += truth ? "true" : "false";
    return *this;
}

JsonWriter& JsonWriter::null() {
    separate();
    text_ += "null";
    return *this;
}

JsonWriter& JsonWriter::newline() {
    on_new_line_ = true;
    return *this;
}

}  // namespace launch
