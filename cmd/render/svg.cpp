// SPDX-License-Identifier: MIT
#include "cmd/render/svg.hpp"

#include <cmath>

namespace launch {
namespace {

/// A tenth of a pixel is as fine as anybody sees.
std::string length(double value) {
    const auto tenths = static_cast<long>(std::lround(value * 10));
    std::string text = std::to_string(tenths / 10);
    if (tenths % 10 != 0) text += "." + std::to_string(std::abs(tenths % 10));
    return text;
}

std::string attribute(std::string_view name, std::string_view value) {
    return " " + std::string(name) + "=\"" + std::string(value) + "\"";
}

std::string attribute(std::string_view name, double value) {
    return attribute(name, length(value));
}

}  // namespace

std::string xml_text(std::string_view text) {
    std::string escaped;
    for (const char c : text) {
        switch (c) {
            case '&': escaped += "&amp;"; break;
            case '<': escaped += "&lt;"; break;
            case '>': escaped += "&gt;"; break;
            case '"': escaped += "&quot;"; break;
            default: escaped += static_cast<unsigned char>(c) < ' ' ? ' ' : c;
        }
    }
    return escaped;
}

Svg::Svg(double width, double height, std::string_view title) {
    text_ = "<svg xmlns=\"http://www.w3.org/2000/svg\"" + attribute("width", width) +
            attribute("height", height) +
            attribute("viewBox", "0 0 " + length(width) + " " + length(height)) +
            " font-family=\"sans-serif\" font-size=\"12\">\n<title>" + xml_text(title) +
            "</title>\n<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n";
}

void Svg::box(double x, double y, double width, double height, std::string_view style,
              std::string_view hint) {
    text_ += "<rect" + attribute("x", x) + attribute("y", y) + attribute("width", width) +
             attribute("height", height) + " " + std::string(style);
    text_ += hint.empty() ? "/>\n" : "><title>" + xml_text(hint) + "</title></rect>\n";
}

void Svg::line(double x1, double y1, double x2, double y2, std::string_view style) {
    text_ += "<line" + attribute("x1", x1) + attribute("y1", y1) + attribute("x2", x2) +
             attribute("y2", y2) + " " + std::string(style) + "/>\n";
}

void Svg::text(double x, double y, std::string_view words, std::string_view anchor,
               std::string_view style) {
    text_ += "<text" + attribute("x", x) + attribute("y", y);
    if (anchor != "start") text_ += attribute("text-anchor", anchor);
    if (!style.empty()) text_ += " " + std::string(style);
    text_ += ">" + xml_text(words) + "</text>\n";
}

std::string Svg::take() {
    return std::move(text_) + "</svg>\n";
}

}  // namespace launch
