// SPDX-License-Identifier: MIT
#include <algorithm>
#include <compare>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/number_text.hpp"
#include "core/hosts/host_pattern.hpp"
#include "core/hosts/hostlist.hpp"

namespace launch {
namespace {

bool is_foldable(std::string_view digits) {
    return digits.size() <= max_range_digits && all_digits(digits);
}

// Where the number that varies stands in a text: after `prefix` bytes, before the last `suffix`.
struct Field {
    std::size_t prefix = 0;
    std::size_t suffix = 0;

    std::string_view in(std::string_view text) const {
        return text.substr(prefix, text.size() - prefix - suffix);
    }
};

// The only place where the two differ, widened to whole numbers; the last number if they are
// equal. The field may turn out to be no number.
Field varying_field(std::string_view a, std::string_view b) {
    std::size_t shorter = std::min(a.size(), b.size());
    Field field;
    if (a == b) {
        while (field.suffix < shorter && !is_digit(a[shorter - 1 - field.suffix])) {
            ++field.suffix;
        }
        field.prefix = shorter - field.suffix;
    } else {
        while (field.prefix < shorter && a[field.prefix] == b[field.prefix]) {
            ++field.prefix;
        }
        while (field.suffix < shorter - field.prefix &&
               a[a.size() - 1 - field.suffix] == b[b.size() - 1 - field.suffix]) {
            ++field.suffix;
        }
    }
    while (field.prefix > 0 && is_digit(a[field.prefix - 1])) {
        --field.prefix;
    }
    while (field.suffix > 0 && is_digit(a[a.size() - field.suffix])) {
        --field.suffix;
    }
    return field;
}

// Folds texts as they come. A group is a first text and those that differ from it in one field
// only; it is written when a text does not fit into it.
class Folder {
  public:
    void add(std::string_view text) {
        if (grows_group(text)) return;
        write_group();
        first_ = text;
        ranges_.clear();
        // Brackets are an IPv6 address; numbers in it don't count up in tens.
        may_grow_ = text.find('[') == text.npos;
    }

    std::string take() {
        write_group();
        return std::move(out_);
    }

  private:
    bool grows_group(std::string_view text) {
        if (!may_grow_) return false;
        if (!ranges_.empty()) return fits(text) && add_number(field_.in(text));
        field_ = varying_field(first_, text);
        if (!fits(text) || !is_foldable(field_.in(text))) return false;
        return add_number(field_.in(first_)) && add_number(field_.in(text));
    }

    bool fits(std::string_view text) const {
        std::string_view first = first_;
        return text.size() > field_.prefix + field_.suffix &&
               text.starts_with(first.substr(0, field_.prefix)) &&
               text.ends_with(first.substr(first.size() - field_.suffix));
    }

    bool add_number(std::string_view digits) {
        if (!is_foldable(digits)) return false;
        const uint64_t number = parse_number<uint64_t>(digits).value_or(0);
        if (ranges_.empty() || !continues(ranges_.back(), number, digits)) {
            ranges_.push_back({number, number, padding_of(digits)});
        }
        ranges_.back().last = number;
        return true;
    }

    static bool continues(const NumberRange& range, uint64_t number, std::string_view digits) {
        // With that value, an unpadded number or one of exactly the width is what would unfold.
        return number == range.last + 1 &&
               (digits[0] != '0' ? digits.size() >= range.width : digits.size() == range.width);
    }

    void write_group() {
        if (first_.empty()) return;
        if (!out_.empty()) out_ += ',';
        if (ranges_.empty()) {
            out_ += first_;
            return;
        }
        out_.append(first_, 0, field_.prefix);
        char before = '[';
        for (const NumberRange& range : ranges_) {
            out_ += before;
            before = ',';
            append_number(out_, range.first, range.width);
            if (range.first == range.last) continue;
            out_ += '-';
            append_number(out_, range.last, range.width);
        }
        out_ += ']';
        out_.append(first_, first_.size() - field_.suffix);
    }

    std::string out_;
    std::string first_;                ///< the group's first text
    Field field_;                      ///< meaningful once ranges_ is not empty
    std::vector<NumberRange> ranges_;  ///< empty while the group is one text
    bool may_grow_ = false;
};

// Takes the number at the front of the text, without its zeros.
std::string_view take_number(std::string_view& text) {
    std::size_t end = 0;
    while (end < text.size() && is_digit(text[end])) {
        ++end;
    }
    std::string_view number = text.substr(0, end);
    text.remove_prefix(end);
    number.remove_prefix(std::min(number.find_first_not_of('0'), number.size()));
    return number;
}

std::strong_ordering compare_naturally(std::string_view a, std::string_view b) {
    while (!a.empty() && !b.empty()) {
        if (is_digit(a[0]) && is_digit(b[0])) {
            std::string_view x = take_number(a);
            std::string_view y = take_number(b);
            if (x.size() != y.size()) return x.size() <=> y.size();
            if (x != y) return x <=> y;
        } else {
            if (a[0] != b[0]) return a[0] <=> b[0];
            a.remove_prefix(1);
            b.remove_prefix(1);
        }
    }
    return a.size() <=> b.size();
}

bool comes_before(const std::string& a, const std::string& b) {
    std::strong_ordering order = compare_naturally(a, b);
    return std::is_eq(order) ? a < b : std::is_lt(order);  // n1 and n01 count the same and are not
}

}  // namespace

std::string fold_hosts(const std::vector<Host>& hosts) {
    Folder folder;
    for (const Host& host : hosts) {
        folder.add(to_string(host));
    }
    return folder.take();
}

std::string fold_names(std::vector<std::string> names) {
    std::sort(names.begin(), names.end(), comes_before);
    names.erase(std::unique(names.begin(), names.end()), names.end());
    Folder folder;
    for (std::string& name : names) {
        folder.add(name.find(':') == name.npos ? name : "[" + name + "]");
    }
    return folder.take();
}

}  // namespace launch
