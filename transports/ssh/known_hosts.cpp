// SPDX-License-Identifier: MIT
#include "transports/ssh/known_hosts.hpp"

#include <algorithm>

#include "core/base/list_text.hpp"
#include "core/base/lower.hpp"
#include "transports/ssh/base64.hpp"
#include "transports/ssh/match.hpp"
#include "transports/ssh/sha1.hpp"

namespace launch {
namespace {

constexpr std::string_view blanks = " \t\r";
constexpr std::string_view hashed_mark = "|1|";

std::string_view take_field(std::string_view& line) {
    line.remove_prefix(std::min(line.find_first_not_of(blanks), line.size()));
    const size_t end = std::min(line.find_first_of(blanks), line.size());
    const std::string_view field = line.substr(0, end);
    line.remove_prefix(end);
    return field;
}

/// Names are compared in lower case; what a file has otherwise is brought to it. A key's base64
/// stands behind the names and is not touched.
void lower_names(std::string& text, size_t begin, size_t end) {
    if (text.compare(begin, hashed_mark.size(), hashed_mark) == 0) return;
    for (size_t i = begin; i < end; ++i)
        text[i] = lower(text[i]);
}

}  // namespace

KnownHosts::KnownHosts(std::string path, std::string text)
    : path_(std::move(path)), text_(std::move(text)) {
    text_.resize(std::min<size_t>(text_.size(), UINT32_MAX));
    const auto lines = static_cast<size_t>(std::count(text_.begin(), text_.end(), '\n')) + 1;
    lines_.reserve(lines);
    names_.reserve(lines + static_cast<size_t>(std::count(text_.begin(), text_.end(), ',')));
    size_t begin = 0;
    for (uint32_t number = 1; begin < text_.size(); ++number) {
        add_line({static_cast<uint32_t>(begin), number});
        begin = std::min(text_.find('\n', begin), text_.size()) + 1;
    }
    std::stable_sort(names_.begin(), names_.end(),
                     [this](const Name& a, const Name& b) { return text_of(a) < text_of(b); });
}

/// Nothing: the line vouches for no host.
std::optional<KnownHosts::Entry> KnownHosts::parse(Line place) const {
    std::string_view line = std::string_view(text_).substr(place.begin);
    line = line.substr(0, line.find('\n'));
    Entry entry;
    entry.key.file = &path_;
    entry.key.line = place.number;
    std::string_view field = take_field(line);
    if (field.empty() || field.starts_with('#')) return std::nullopt;
    if (field.starts_with('@')) {
        if (field == "@revoked") {
            entry.key.marker = KnownKey::Marker::revoked;
        } else if (field == "@cert-authority") {
            entry.key.marker = KnownKey::Marker::authority;
        } else {
            return std::nullopt;
        }
        field = take_field(line);
    }
    entry.names = field;
    entry.key.type = take_field(line);
    entry.key.key = take_field(line);
    if (entry.key.key.empty()) return std::nullopt;
    return entry;
}

void KnownHosts::add_line(Line line) {
    const auto entry = parse(line);
    if (!entry) return;
    const size_t begin = place_of(entry->names);
    lower_names(text_, begin, begin + entry->names.size());
    lines_.push_back(line);
    index_names(entry->names);
}

void KnownHosts::index_names(std::string_view names) {
    const auto line = static_cast<uint32_t>(lines_.size() - 1);
    if (names.starts_with(hashed_mark)) return index_hashed(names);
    if (names.find_first_of("*?!") != std::string_view::npos) {
        patterns_.push_back(line);
        return;
    }
    for_each_part(names, ',', [&](std::string_view name) {
        names_.push_back({place_of(name), static_cast<uint32_t>(name.size()), line});
    });
}

void KnownHosts::index_hashed(std::string_view names) {
    names.remove_prefix(hashed_mark.size());
    const size_t bar = std::min(names.find('|'), names.size());
    const std::string hash = base64_decode(names.substr(std::min(bar + 1, names.size())));
    Hashed hashed{
        base64_decode(names.substr(0, bar)), {}, static_cast<uint32_t>(lines_.size() - 1)};
    if (hash.size() != hashed.hash.size()) return;
    std::copy(hash.begin(), hash.end(), hashed.hash.begin());
    hashed_.push_back(std::move(hashed));
}

void KnownHosts::find(std::string_view name, std::vector<KnownKey>& found) const {
    const auto first = std::lower_bound(
        names_.begin(), names_.end(), name,
        [this](const Name& entry, std::string_view wanted) { return text_of(entry) < wanted; });
    for (auto at = first; at != names_.end() && text_of(*at) == name; ++at)
        found.push_back(parse(lines_[at->line])->key);
    for (const auto& hashed : hashed_) {
        if (hmac_sha1(hashed.salt, name) == hashed.hash)
            found.push_back(parse(lines_[hashed.line])->key);
    }
    for (const uint32_t line : patterns_) {
        const auto entry = parse(lines_[line]);
        if (matches_pattern_list(name, entry->names)) found.push_back(entry->key);
    }
}

std::string known_hosts_name(std::string_view host_name, unsigned port) {
    if (port == 22) return std::string(host_name);
    return "[" + std::string(host_name) + "]:" + std::to_string(port);
}

std::string known_hosts_field(std::string_view name, std::string_view salt) {
    if (salt.empty()) return std::string(name);
    const auto hash = hmac_sha1(salt, name);
    return std::string(hashed_mark) + base64_encode(salt) + "|" +
           base64_encode({reinterpret_cast<const char*>(hash.data()), hash.size()});
}

KeyJudgement judge_key(const std::vector<KnownKey>& known, std::string_view type,
                       std::string_view key) {
    KeyJudgement judgement;
    const KnownKey* other = nullptr;
    for (const auto& entry : known) {
        if (entry.marker == KnownKey::Marker::authority) {
            judgement.authority = true;
        } else if (entry.marker == KnownKey::Marker::revoked) {
            if (entry.key == key) return {KeyVerdict::revoked, {}, false};
        } else if (entry.key == key) {
            judgement.verdict = KeyVerdict::known;
        } else if (!entry.other_port) {
            const bool nearer = other != nullptr && other->type != type && entry.type == type;
            if (other == nullptr || nearer) other = &entry;
        }
    }
    if (judgement.verdict == KeyVerdict::known || other == nullptr) return judgement;
    judgement.verdict = KeyVerdict::changed;
    judgement.known_at = *other->file + ":" + std::to_string(other->line);
    return judgement;
}

std::string order_host_key_algorithms(const std::vector<KnownKey>& known, std::string_view ours) {
    std::string first;
    std::string rest;
    for_each_part(ours, ',', [&](std::string_view algorithm) {
        const std::string_view type = algorithm.starts_with("rsa-sha2-") ? "ssh-rsa" : algorithm;
        const bool is_known = std::any_of(known.begin(), known.end(), [&](const KnownKey& entry) {
            return entry.marker == KnownKey::Marker::none && entry.type == type;
        });
        append_part(is_known ? first : rest, ",", algorithm);
    });
    if (first.empty() || rest.empty()) return first + rest;
    return first + "," + rest;
}

}  // namespace launch
