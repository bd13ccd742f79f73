// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>
#include <utility>

#include "core/io/line_label.hpp"

namespace launch {

/// A line longer than this may be cut and mixed with other ranks' output.
inline constexpr size_t max_line = 64u << 10;

/// Makes whole, optionally labelled lines of what a rank writes. Sans I/O; keeps at most
/// max_line bytes of an unfinished line. Bytes are never changed; with a
/// label, the label and a last missing newline are added.
class LineAssembler {
  public:
    /// `whole_lines` false: bytes pass as they come (a label forces whole lines).
    LineAssembler(LineLabel label, bool whole_lines)
        : label_(std::move(label)), whole_lines_(whole_lines || !label_.empty()) {}

    /// Appends to `out` what of the input may be shown now.
    void feed(std::string_view bytes, std::string& out);
    /// A line has begun and is kept back.
    bool has_part() const { return !partial_.empty(); }
    /// Shows the beginning of an unfinished line. The rest continues there, without another label.
    void show_part(std::string& out) { flush(out); }
    /// The stream ended: an unfinished line is shown as it is; a labelled one gets its newline.
    void finish(std::string& out);

  private:
    void flush(std::string& out);
    void emit(std::string_view bytes, std::string& out);

    LineLabel label_;
    bool whole_lines_;
    std::string partial_;
    bool at_line_start_ = true;
};

/// The longest prefix of `text` of at most `limit` bytes that ends with a line, or `limit` bytes
/// where no line ends: how to cut output into frames.
std::string_view cut_at_line(std::string_view text, size_t limit);

}  // namespace launch
