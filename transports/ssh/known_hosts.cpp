#include "transports/ssh/known_hosts.hpp"

#include <algorithm>

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
    for (size_t i = begin; i < end; ++i) {
        if (text[i] >= 'A' && text[i] <= 'Z') text[i] = static_cast<char>(text[i] - 'A' + 'a');
    }
}

}  // namespace

KnownHosts::KnownHosts(std::string path, std::string text)
    : path_(std::move(path)), text_(std::move(text)) {
    size_t begin = 0;
    for (size_t number = 1; begin < text_.size(); ++number) {
        const size_t end = std::min(text_.find('\n', begin), text_.size());
        add_line(std::string_view(text_).substr(begin, end - begin), number);
        begin = end + 1;
    }
    std::stable_sort(names_.begin(), names_.end(),
                     [](const Name& a, const Name& b) { return a.name < b.name; });
}

void KnownHosts::add_line(std::string_view line, size_t number) {
    Entry entry;
    entry.key.file = &path_;
    entry.key.line = number;
    std::string_view field = take_field(line);
    if (field.empty() || field.starts_with('#')) return;
    if (field.starts_with('@')) {
        if (field == "@revoked") {
            entry.key.marker = KnownKey::Marker::revoked;
        } else if (field == "@cert-authority") {
            entry.key.marker = KnownKey::Marker::authority;
        } else {
            return;
        }
        field = take_field(line);
    }
    entry.names = field;
    entry.key.type = take_field(line);
    entry.key.key = take_field(line);
    if (entry.key.key.empty()) return;
    const auto begin = static_cast<size_t>(field.data() - text_.data());
    lower_names(text_, begin, begin + field.size());
    entries_.push_back(entry);
    index_names(entries_.size() - 1);
}

void KnownHosts::index_names(size_t entry) {
    std::string_view names = entries_[entry].names;
    if (names.starts_with(hashed_mark)) {
        names.remove_prefix(hashed_mark.size());
        const size_t bar = std::min(names.find('|'), names.size());
        const std::string hash = base64_decode(names.substr(std::min(bar + 1, names.size())));
        Hashed hashed{base64_decode(names.substr(0, bar)), {}, entry};
        if (hash.size() != hashed.hash.size()) return;
        std::copy(hash.begin(), hash.end(), hashed.hash.begin());
        hashed_.push_back(std::move(hashed));
        return;
    }
    if (names.find_first_of("*?!") != std::string_view::npos) {
        patterns_.push_back(entry);
        return;
    }
    while (!names.empty()) {
        const size_t comma = std::min(names.find(','), names.size());
        names_.push_back({names.substr(0, comma), entry});
        names.remove_prefix(std::min(comma + 1, names.size()));
    }
}

void KnownHosts::find(std::string_view name, std::vector<KnownKey>& found) const {
    const auto first = std::lower_bound(
        names_.begin(), names_.end(), name,
        [](const Name& entry, std::string_view wanted) { return entry.name < wanted; });
    for (auto at = first; at != names_.end() && at->name == name; ++at)
        found.push_back(entries_[at->entry].key);
    for (const auto& hashed : hashed_) {
        if (hmac_sha1(hashed.salt, name) == hashed.hash)
            found.push_back(entries_[hashed.entry].key);
    }
    for (const size_t index : patterns_) {
        if (matches_pattern_list(name, entries_[index].names)) found.push_back(entries_[index].key);
    }
}

std::string known_hosts_name(std::string_view host_name, unsigned port) {
    if (port == 22) return std::string(host_name);
    return "[" + std::string(host_name) + "]:" + std::to_string(port);
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
    while (!ours.empty()) {
        const size_t comma = std::min(ours.find(','), ours.size());
        const std::string_view algorithm = ours.substr(0, comma);
        ours.remove_prefix(std::min(comma + 1, ours.size()));
        const std::string_view type = algorithm.starts_with("rsa-sha2-") ? "ssh-rsa" : algorithm;
        const bool is_known = std::any_of(known.begin(), known.end(), [&](const KnownKey& entry) {
            return entry.marker == KnownKey::Marker::none && entry.type == type;
        });
        std::string& list = is_known ? first : rest;
        if (!list.empty()) list += ',';
        list += algorithm;
    }
    if (first.empty() || rest.empty()) return first + rest;
    return first + "," + rest;
}

}  // namespace launch
