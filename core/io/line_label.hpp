// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/job/output_pattern.hpp"

namespace launch {

/// The text before every line of one stream: a fixed text, and on request the date and time when
/// the line was complete, in the time zone of this host.
class LineLabel {
  public:
    LineLabel() = default;
    /// That text.
    explicit LineLabel(std::string_view text);
    /// A pattern with the fields of a rank. `colored`: in the color of that rank, as a terminal
    /// shows it.
    LineLabel(const OutputPattern& pattern, const OutputFields& fields, bool colored);

    bool empty() const { return parts_.empty(); }
    void append_to(std::string& out) const;

  private:
    struct Part {
        OutputField field = OutputField::text;  ///< or date, or time
        std::string text;
    };
    void add_text(std::string_view text);

    std::vector<Part> parts_;
};

}  // namespace launch
