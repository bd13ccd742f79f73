// SPDX-License-Identifier: MIT
#include "modex/pmi2/message.hpp"

#include <algorithm>

#include "core/base/number_text.hpp"
#include "modex/front/pmi_error.hpp"

namespace launch {
namespace {

Error body_fault(std::string_view body, std::string_view why) {
    return pmi_error("PMI-2", body, why);
}

/// Where the value that `text` begins with ends: at the ';' that is not doubled.
size_t value_end(std::string_view text) {
    size_t at = text.find(';');
    while (at != std::string_view::npos && at + 1 < text.size() && text[at + 1] == ';')
        at = text.find(';', at + 2);
    return std::min(at, text.size());
}

std::string undoubled(std::string_view raw) {
    std::string value;
    for (size_t end = raw.find(';'); end != std::string_view::npos; end = raw.find(';')) {
        value += raw.substr(0, end + 1);
        raw.remove_prefix(std::min(end + 2, raw.size()));
    }
    value += raw;
    return value;
}

void append_doubled(std::string_view value, std::string& out) {
    for (size_t end = value.find(';'); end != std::string_view::npos; end = value.find(';')) {
        out += value.substr(0, end + 1);
        out += ';';
        value.remove_prefix(end + 1);
    }
    out += value;
}

/// Takes "name=value;" off the front of `text`. The last ';' may be missing. False: there is no
/// '='.
bool take_field(std::string_view& text, std::string_view& name, std::string_view& value) {
    const size_t equals = text.find_first_of("=;");
    if (equals == std::string_view::npos || text[equals] != '=' || equals == 0) return false;
    name = text.substr(0, equals);
    text.remove_prefix(equals + 1);
    const size_t end = value_end(text);
    value = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    return true;
}

}  // namespace

std::optional<size_t> parse_pmi2_length(std::string_view six) {
    const size_t first = six.find_first_not_of(' ');
    if (first == std::string_view::npos) return std::nullopt;
    six = six.substr(first, six.find_last_not_of(' ') - first + 1);
    const auto length = parse_number<size_t>(six);
    if (!length || *length == 0 || *length > pmi2_message_max) return std::nullopt;
    return length;
}

Result<Pmi2Message> Pmi2Message::parse(std::string_view body) {
    if (body.find('\0') != std::string_view::npos)
        return body_fault(body, ", which holds a NUL byte");
    Pmi2Message message;
    std::string_view rest = body;
    std::string_view name;
    if (!take_field(rest, name, message.command_) || name != "cmd")
        return body_fault(body, ", which is not PMI-2");
    message.fields_ = rest;
    std::string_view value;
    while (!rest.empty())
        if (!take_field(rest, name, value))
            return body_fault(body, ", which has a field without '='");
    return message;
}

std::optional<std::string_view> Pmi2Message::raw_field(std::string_view name) const {
    std::string_view rest = fields_;
    std::string_view found;
    std::string_view value;
    while (take_field(rest, found, value))
        if (found == name) return value;
    return std::nullopt;
}

std::optional<std::string> Pmi2Message::field(std::string_view name) const {
    const auto raw = raw_field(name);
    if (!raw) return std::nullopt;
    return undoubled(*raw);
}

std::vector<std::pair<std::string_view, std::string>> Pmi2Message::fields() const {
    std::vector<std::pair<std::string_view, std::string>> all;
    std::string_view rest = fields_;
    std::string_view name;
    std::string_view value;
    while (take_field(rest, name, value))
        all.emplace_back(name, undoubled(value));
    return all;
}

Pmi2Writer::Pmi2Writer(std::string& out, std::string_view command, std::string_view suffix)
    : out_(out), begin_(out.size()) {
    out_.append(pmi2_length_digits, ' ');
    out_ += "cmd=";
    out_ += command;
    out_ += suffix;
    out_ += ';';
}

Pmi2Writer& Pmi2Writer::field(std::string_view name, std::string_view value) {
    out_ += name;
    out_ += '=';
    append_doubled(value, out_);
    out_ += ';';
    return *this;
}

Pmi2Writer& Pmi2Writer::number(std::string_view name, int64_t value) {
    out_ += name;
    out_ += '=';
    append_number(out_, value);
    out_ += ';';
    return *this;
}

void Pmi2Writer::finish() {
    std::string digits;
    append_number(digits, out_.size() - begin_ - pmi2_length_digits);
    out_.replace(begin_ + pmi2_length_digits - digits.size(), digits.size(), digits);
}

}  // namespace launch
