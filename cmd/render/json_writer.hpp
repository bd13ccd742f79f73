// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace launch {

/// Puts JSON (RFC 8259) together piece by piece, on one line but for what newline() parts. Commas
/// and quotes are its own business; that objects get keys is the caller's.
class JsonWriter {
  public:
    JsonWriter& begin_object() { return begin('{', '}'); }
    JsonWriter& begin_array() { return begin('[', ']'); }
    /// Of what was begun last.
    JsonWriter& end();

    JsonWriter& key(std::string_view name);

    JsonWriter& string(std::string_view text);
    JsonWriter& number(uint64_t number);
    JsonWriter& boolean(bool truth);
    JsonWriter& null();

    /// The next value or key begins a line.
    JsonWriter& newline();

    std::string take() { return std::move(text_); }

  private:
    JsonWriter& begin(char open, char close);
    void separate();

    struct Level {
        char close;
        bool empty = true;
    };
    std::string text_;
    std::vector<Level> levels_;
    bool after_key_ = false;
    bool on_new_line_ = false;
};

}  // namespace launch
