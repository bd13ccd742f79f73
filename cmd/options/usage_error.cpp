// SPDX-License-Identifier: MIT
#include "cmd/options/usage_error.hpp"

#include <algorithm>
#include <numeric>
#include <utility>
#include <vector>

#include "core/hosts/host_text.hpp"

namespace launch {
namespace {

constexpr std::string_view usual_hint = "see launch --help";

/// Edits from one word to the other: insert, remove, replace, or swap two neighbours.
size_t distance(std::string_view a, std::string_view b) {
    std::vector<size_t> before(b.size() + 1);
    std::vector<size_t> above(b.size() + 1);
    std::vector<size_t> row(b.size() + 1);
    std::iota(row.begin(), row.end(), size_t{0});
    for (size_t i = 1; i <= a.size(); ++i) {
        before.swap(above);
        above.swap(row);
        row[0] = i;
        for (size_t j = 1; j <= b.size(); ++j) {
            const size_t replaced = above[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
            row[j] = std::min({above[j] + 1, row[j - 1] + 1, replaced});
            const bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
            if (swapped) row[j] = std::min(row[j], before[j - 2] + 1);
        }
    }
    return row[b.size()];
}

constexpr size_t far = 100;

/// How unlike two words are, in half edits: a dash less or more weighs half.
size_t unlike(std::string_view word, std::string_view candidate) {
    constexpr size_t longest = 40;
    const auto a = without_dashes(word);
    const auto b = without_dashes(candidate);
    if (a.size() > longest) return far;
    const bool shortened = a.size() >= 3 && a.size() < b.size() && b.starts_with(a);
    const size_t edits = shortened ? 1 : distance(a, b);
    // One edit makes any short word of any other.
    const bool too_short = std::min(a.size(), b.size()) < 3;
    if (edits > 0 && (too_short || edits > 2 || edits * 2 >= a.size())) return far;
    const bool same_dashes = word.size() - a.size() == candidate.size() - b.size();
    return 2 * edits + (same_dashes ? 0 : 1);
}

}  // namespace

Error usage_error(std::string cause) {
    Error error;
    error.kind = ErrorKind::usage;
    error.cause = std::move(cause);
    error.hint = usual_hint;
    return error;
}

Error with_page(Error error, std::string_view page) {
    if (page.empty()) return error;
    if (error.hint == usual_hint) error.hint = "see launch help " + std::string(page);
    for (auto& other : error.others)
        other = with_page(std::move(other), page);
    return error;
}

Error unreadable(const std::string& what, const std::string& path, int errno_value) {
    auto error = os_error(what + " " + shown_path(path), errno_value);
    error.kind = ErrorKind::usage;
    return error;
}

std::string shown_path(const std::string& path) {
    return has_control(path) ? quoted(path) : path;
}

std::string_view without_dashes(std::string_view word) {
    word.remove_prefix(std::min(word.find_first_not_of('-'), word.size()));
    return word;
}

std::string_view nearest(std::string_view word, std::span<const std::string_view> candidates) {
    std::string_view best;
    size_t least = far;
    for (const auto candidate : candidates) {
        const size_t unlikeness = unlike(word, candidate);
        if (unlikeness >= least) continue;
        least = unlikeness;
        best = candidate;
    }
    return best;
}

std::string did_you_mean(std::string_view name) {
    return name.empty() ? std::string() : "; did you mean " + std::string(name) + "?";
}

std::string shown(std::string_view word) {
    const auto plain = [](char c) { return c > ' ' && c < 0x7f && c != '"'; };
    const bool clear =
        !word.empty() && word.size() <= 64 && std::all_of(word.begin(), word.end(), plain);
    return clear ? std::string(word) : quoted(word);
}

}  // namespace launch
