// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>

namespace launch {

/// Puts an SVG 1.1 picture together. Lengths are in pixels; text is escaped here.
class Svg {
  public:
    Svg(double width, double height, std::string_view title);

    /// `hint`: what a browser shows under the pointer; empty: nothing.
    void box(double x, double y, double width, double height, std::string_view style,
             std::string_view hint = {});
    void line(double x1, double y1, double x2, double y2, std::string_view style);
    /// `anchor`: "start", "middle" or "end".
    void text(double x, double y, std::string_view words, std::string_view anchor = "start",
              std::string_view style = {});

    std::string take();

  private:
    std::string text_;
};

/// For text between the tags of XML or HTML, and in attributes.
std::string xml_text(std::string_view text);

}  // namespace launch
