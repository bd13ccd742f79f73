// SPDX-License-Identifier: MIT
#include "core/job/output_pattern.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <utility>

namespace launch {
namespace {

constexpr size_t widest = 20;

struct FieldName {
    std::string_view letters;
    std::string_view name;
    OutputField field;
};

constexpr auto names = std::to_array<FieldName>({
    {"rtR", "rank", OutputField::rank},
    {"l", "local-rank", OutputField::local_rank},
    {"", "size", OutputField::size},
    {"h", "host", OutputField::host},
    {"N", "short-host", OutputField::short_host},
    {"p", "node", OutputField::node},
    {"", "program", OutputField::program},
    {"", "stream", OutputField::stream},
    {"j", "job", OutputField::job},
    {"", "date", OutputField::date},
    {"", "time", OutputField::time},
});

std::string letter_fault(char letter) {
    const std::string shown = std::string("%") + letter;
    if (letter == 'n')
        return shown +
               " differs between launchers: use %p for the number of the host, %j for the job";
    if (letter == 's')
        return shown + ": jobs of launch have no steps; use %{stream} for out or err";
    return shown +
           " is not a field; use %r (rank), %l (local rank), %h (host), %j (job), or %% for a %; "
           "`launch help output` lists all";
}

std::string name_fault(std::string_view name) {
    std::string fault = "%{" + std::string(name) + "} is not a field; known:";
    for (const auto& each : names)
        fault.append(" ").append(each.name);
    return fault;
}

size_t digits(uint32_t number) {
    return std::to_string(number).size();
}

std::string number_text(uint32_t number, size_t width) {
    std::string text = std::to_string(number);
    if (text.size() < width) text.insert(0, width - text.size(), '0');
    return text;
}

/// Takes one field from behind its "%".
std::string take_field(std::string_view& rest, OutputPattern::Part& part) {
    while (!rest.empty() && std::isdigit(static_cast<unsigned char>(rest[0])) != 0) {
        part.width = std::min(widest, part.width * 10 + static_cast<size_t>(rest[0] - '0'));
        rest.remove_prefix(1);
    }
    if (rest.empty()) return "the pattern ends with %; write %% for a %";
    const char letter = rest[0];
    rest.remove_prefix(1);
    const auto* found = names.end();
    if (letter != '{') {
        found = std::find_if(names.begin(), names.end(), [letter](const FieldName& each) {
            return each.letters.find(letter) != std::string_view::npos;
        });
        if (found == names.end()) return letter_fault(letter);
    } else {
        const auto end = rest.find('}');
        if (end == std::string_view::npos) return "%{ without }";
        const auto name = rest.substr(0, end);
        rest.remove_prefix(end + 1);
        found = std::find_if(names.begin(), names.end(),
                             [name](const FieldName& each) { return each.name == name; });
        if (found == names.end()) return name_fault(name);
    }
    part.field = found->field;
    part.fits_all = letter == 'R';
    return {};
}

}  // namespace

std::string OutputPattern::read(std::string_view text, OutputPattern& pattern) {
    OutputPattern made;
    std::string literal;
    const auto end_literal = [&] {
        if (!literal.empty())
            made.parts_.push_back({OutputField::text, std::exchange(literal, {})});
    };
    while (!text.empty()) {
        const auto percent = std::min(text.find('%'), text.size());
        literal.append(text.substr(0, percent));
        text.remove_prefix(percent);
        if (text.empty()) break;
        text.remove_prefix(1);
        if (text.starts_with('%')) {
            literal.push_back('%');
            text.remove_prefix(1);
            continue;
        }
        Part part;
        auto objection = take_field(text, part);
        if (!objection.empty()) return objection;
        end_literal();
        made.parts_.push_back(std::move(part));
    }
    end_literal();
    pattern = std::move(made);
    return {};
}

bool OutputPattern::has(OutputField field) const {
    return std::any_of(parts_.begin(), parts_.end(),
                       [field](const Part& part) { return part.field == field; });
}

std::string OutputPattern::fill(const Part& part, const OutputFields& fields) {
    switch (part.field) {
        case OutputField::text: return part.text;
        case OutputField::rank:
            return (fields.space > 0 ? std::to_string(fields.space) + '.' : std::string()) +
                   number_text(fields.rank, part.fits_all && fields.size > 0
                                                ? digits(fields.size - 1)
                                                : part.width);
        case OutputField::local_rank: return number_text(fields.local_rank, part.width);
        case OutputField::size: return number_text(fields.size, part.width);
        case OutputField::host: return std::string(fields.host);
        case OutputField::short_host:
            return std::string(fields.host.substr(0, fields.host.find('.')));
        case OutputField::node: return number_text(fields.node, part.width);
        case OutputField::program: return number_text(fields.program, part.width);
        case OutputField::stream: return std::string(fields.stream);
        case OutputField::job: return std::string(fields.job);
        case OutputField::date:
        case OutputField::time: break;
    }
    return {};
}

std::string OutputPattern::fill(const OutputFields& fields) const {
    std::string text;
    for (const Part& part : parts_)
        text += fill(part, fields);
    return text;
}

std::string literal_pattern(std::string_view text) {
    std::string pattern;
    for (const char c : text)
        pattern.append(c == '%' ? 2 : 1, c);
    return pattern;
}

}  // namespace launch
