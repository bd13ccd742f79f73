// SPDX-License-Identifier: MIT
#include "cmd/render/tree_picture.hpp"

#include <algorithm>

#include "cmd/render/svg.hpp"

namespace launch {
namespace {

constexpr double picture_margin = 20;
constexpr double box_height = 34;
constexpr double picture_row_height = 42;
constexpr double box_width = 230;
constexpr double column_width = 290;
constexpr double title_height = 30;
constexpr size_t longest_words = 34;

std::string cut(const std::string& words) {
    return words.size() > longest_words ? words.substr(0, longest_words - 3) + "..." : words;
}

std::string box_style(const ShownNode& node) {
    std::string style = "rx=\"4\" stroke=\"#336699\" fill=\"";
    style += node.is_spare ? "#f4f4f4\"" : node.stands_for_others ? "#fff6dd\"" : "#e8f1fa\"";
    if (node.stands_for_others || node.is_spare) style += " stroke-dasharray=\"5 3\"";
    return style;
}

/// Draws the box and all to its right; returns the height at which lines come in.
double draw(Svg& svg, const ShownNode& node, double x, double top) {
    const double middle = top + static_cast<double>(node.rows) * picture_row_height / 2;
    double below_top = top;
    const double turn = x + (box_width + column_width) / 2;
    for (const ShownNode& below : node.below) {
        const double to = draw(svg, below, x + column_width, below_top);
        const char* const style = "stroke=\"#8899aa\"";
        svg.line(x + box_width, middle, turn, middle, style);
        svg.line(turn, middle, turn, to, style);
        svg.line(turn, to, x + column_width, to, style);
        below_top += static_cast<double>(below.rows) * picture_row_height;
    }
    const double y = middle - box_height / 2;
    svg.box(x, y, box_width, box_height, box_style(node), node.names + ": " + node.more);
    const bool one_line = node.more.empty();
    svg.text(x + 8, one_line ? middle + 4 : y + 14, cut(node.names), "start",
             "font-weight=\"bold\"");
    if (!one_line) svg.text(x + 8, y + 28, cut(node.more), "start", "font-size=\"11\"");
    return middle;
}

std::string dot_text(const std::string& text) {
    std::string quoted;
    for (const char c : text) {
        if (c == '"' || c == '\\') quoted += '\\';
        quoted += c;
    }
    return quoted;
}

void write_dot(const ShownNode& node, size_t& last, std::string& text) {
    const std::string id = "n" + std::to_string(last);
    const std::string more = node.more.empty() ? "" : "\\n" + dot_text(node.more);
    const char* const style = node.stands_for_others || node.is_spare ? ", style=dashed" : "";
    text += "  " + id + " [label=\"" + dot_text(node.names) + more + "\"" + style + "];\n";
    for (const ShownNode& below : node.below) {
        text += "  " + id + " -> n" + std::to_string(++last) + ";\n";
        write_dot(below, last, text);
    }
}

}  // namespace

void ShownNode::measure() {
    rows = 0;
    columns = 1;
    for (const ShownNode& node : below) {
        rows += node.rows;
        columns = std::max(columns, node.columns + 1);
    }
    rows = std::max<size_t>(rows, 1);
}

std::string tree_svg(const ShownNode& tree, const std::string& title) {
    const double width =
        2 * picture_margin + static_cast<double>(tree.columns - 1) * column_width + box_width;
    const double height =
        2 * picture_margin + title_height + static_cast<double>(tree.rows) * picture_row_height;
    Svg svg(width, height, title);
    svg.text(picture_margin, picture_margin + 8, title, "start",
             "font-size=\"14\" font-weight=\"bold\"");
    draw(svg, tree, picture_margin, picture_margin + title_height);
    return svg.take();
}

std::string tree_dot(const ShownNode& tree, const std::string& title) {
    std::string text = "digraph launch {\n  rankdir=LR;\n  label=\"" + dot_text(title) +
                       "\";\n  node [shape=box, fontname=\"sans-serif\"];\n";
    size_t last = 0;
    write_dot(tree, last, text);
    return text + "}\n";
}

}  // namespace launch
