// SPDX-License-Identifier: MIT
#include "cmd/render/line_diff.hpp"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace launch {
namespace {

constexpr size_t context = 3;

using Lines = std::vector<std::string_view>;

Lines lines_of(std::string_view text) {
    Lines lines;
    while (!text.empty()) {
        const size_t end = std::min(text.find('\n'), text.size() - 1) + 1;
        lines.push_back(text.substr(0, end));
        text.remove_prefix(end);
    }
    return lines;
}

/// One line of the way from a to b.
struct Edit {
    char mark;    ///< ' ', '-' or '+'
    size_t in_a;  ///< where it is, or would be
    size_t in_b;
};

/// The furthest that each diagonal gets to with d edits, for every d up to the last.
class Furthest {
  public:
    Furthest(const Lines& a, const Lines& b)
        : a_(a), b_(b), width_(static_cast<int64_t>(a.size() + b.size())) {}

    bool search(size_t most) {
        Row row(3, 0);
        for (int64_t d = 0; d <= std::min(width_, static_cast<int64_t>(most)); ++d) {
            Row next(static_cast<size_t>(2 * d + 3), 0);
            rows_.push_back(row);
            for (int64_t k = -d; k <= d; k += 2) {
                const int64_t x = slide(start(row, d, k), k);
                next[static_cast<size_t>(k + d + 1)] = x;
                if (x >= size(a_) && x - k >= size(b_)) return true;
            }
            row = std::move(next);
        }
        return false;
    }

    std::vector<Edit> way() const {
        std::vector<Edit> edits;
        int64_t x = size(a_);
        int64_t y = size(b_);
        const auto add = [&](char mark) {
            edits.push_back({mark, static_cast<size_t>(x), static_cast<size_t>(y)});
        };
        for (auto d = static_cast<int64_t>(rows_.size()) - 1; d >= 0; --d) {
            const int64_t k = x - y;
            const Row& row = rows_[static_cast<size_t>(d)];
            const bool down = d > 0 && goes_down(row, d, k);
            const int64_t from = d == 0 ? 0 : start(row, d, k);
            while (x > from) {
                --x;
                --y;
                add(' ');
            }
            if (d == 0) break;
            (down ? y : x) -= 1;
            add(down ? '+' : '-');
        }
        std::reverse(edits.begin(), edits.end());
        return edits;
    }

  private:
    using Row = std::vector<int64_t>;  ///< of d - 1 edits: diagonals -d .. d, from place 0
    static int64_t size(const Lines& lines) { return static_cast<int64_t>(lines.size()); }
    /// Returns the value of diagonal k in a row whose first place is for diagonal -d.
    static int64_t at(const Row& row, int64_t d, int64_t k) {
        return row[static_cast<size_t>(k + d)];
    }
    static bool goes_down(const Row& row, int64_t d, int64_t k) {
        return k == -d || (k != d && at(row, d, k - 1) < at(row, d, k + 1));
    }
    static int64_t start(const Row& row, int64_t d, int64_t k) {
        if (d == 0) return 0;
        return goes_down(row, d, k) ? at(row, d, k + 1) : at(row, d, k - 1) + 1;
    }
    int64_t slide(int64_t x, int64_t k) const {
        while (x < size(a_) && x - k < size(b_) &&
               a_[static_cast<size_t>(x)] == b_[static_cast<size_t>(x - k)])
            ++x;
        return x;
    }

    const Lines& a_;
    const Lines& b_;
    int64_t width_;
    std::vector<Row> rows_;  ///< before each d
};

/// As diff has it: a range of one line is its number, one of none the number of the line before.
std::string range(size_t first, size_t count) {
    if (count == 1) return std::to_string(first + 1);
    return std::to_string(count == 0 ? first : first + 1) + "," + std::to_string(count);
}

std::string hunk(const std::vector<Edit>& edits, size_t begin, size_t end, const Lines& a,
                 const Lines& b) {
    size_t of_a = 0;
    size_t of_b = 0;
    std::string text;
    for (size_t i = begin; i < end; ++i) {
        const Edit& edit = edits[i];
        of_a += edit.mark != '+' ? 1 : 0;
        of_b += edit.mark != '-' ? 1 : 0;
        const auto line = edit.mark == '+' ? b[edit.in_b] : a[edit.in_a];
        text.append(1, edit.mark).append(line);
        if (!line.ends_with('\n')) text.append("\n\\ No newline at end of file\n");
    }
    return "@@ -" + range(edits[begin].in_a, of_a) + " +" + range(edits[begin].in_b, of_b) +
           " @@\n" + text;
}

}  // namespace

std::optional<std::string> unified_hunks(std::string_view a, std::string_view b, size_t most) {
    const Lines in_a = lines_of(a);
    const Lines in_b = lines_of(b);
    Furthest furthest(in_a, in_b);
    if (!furthest.search(most)) return std::nullopt;
    const auto edits = furthest.way();
    std::string text;
    size_t at = 0;
    while (at < edits.size()) {
        if (edits[at].mark == ' ') {
            ++at;
            continue;
        }
        const size_t begin = at - std::min(at, context);
        size_t last = at;  // change of this hunk
        for (size_t i = at; i < edits.size() && i <= last + 2 * context; ++i)
            if (edits[i].mark != ' ') last = i;
        const size_t end = std::min(last + 1 + context, edits.size());
        text += hunk(edits, begin, end, in_a, in_b);
        at = end;
    }
    return text;
}

}  // namespace launch
