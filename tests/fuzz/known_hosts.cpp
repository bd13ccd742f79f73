// SPDX-License-Identifier: MIT
// A known_hosts file, and the patterns in it.
#include "transports/ssh/known_hosts.hpp"

#include <algorithm>
#include <fnmatch.h>

#include "tests/fuzz/allocation.hpp"
#include "tests/fuzz/targets.hpp"
#include "transports/ssh/match.hpp"

namespace launch {
namespace {

using fuzz::require;

constexpr size_t most_lines = 40;
constexpr std::string_view ours = "ssh-ed25519,ecdsa-sha2-nistp256,rsa-sha2-512,rsa-sha2-256";

std::vector<std::string> split(std::string_view text, char separator) {
    std::vector<std::string> parts;
    for (;;) {
        const size_t end = std::min(text.find(separator), text.size());
        parts.emplace_back(text.substr(0, end));
        if (end == text.size()) return parts;
        text.remove_prefix(end + 1);
    }
}

/// Found by the index are the lines that speak of the name when each is read alone.
std::vector<KnownKey> find(const KnownHosts& all, const std::vector<std::string>& lines,
                           const std::string& name) {
    std::vector<KnownKey> found;
    all.find(name, found);
    std::vector<size_t> numbers;
    for (const auto& key : found) {
        require(*key.file == "F" && key.line >= 1 && key.line <= lines.size(), "its place");
        require(!key.key.empty(), "a key");
        if (numbers.empty() || numbers.back() != key.line) numbers.push_back(key.line);
    }
    std::sort(numbers.begin(), numbers.end());
    numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
    std::vector<size_t> alone;
    for (size_t i = 0; i < lines.size(); ++i) {
        const KnownHosts one("F", lines[i]);
        std::vector<KnownKey> keys;
        one.find(name, keys);
        if (!keys.empty()) alone.push_back(i + 1);
    }
    require(numbers == alone, "the lines that speak of it");
    return found;
}

void judge(const std::vector<KnownKey>& found, const std::string& type, const std::string& key) {
    const auto has = [&](KnownKey::Marker marker) {
        return std::any_of(found.begin(), found.end(), [&](const KnownKey& known) {
            return known.marker == marker && known.key == key;
        });
    };
    const KeyJudgement judgement = judge_key(found, type, key);
    const bool revoked = judgement.verdict == KeyVerdict::revoked;
    require(revoked == has(KnownKey::Marker::revoked), "revoked is what is marked so");
    require(revoked || (judgement.verdict == KeyVerdict::known) == has(KnownKey::Marker::none),
            "known is what is there");
    require((judgement.verdict == KeyVerdict::changed) == !judgement.known_at.empty(),
            "where the other key is");
    auto ordered = split(order_host_key_algorithms(found, ours), ',');
    auto plain = split(ours, ',');
    std::sort(ordered.begin(), ordered.end());
    std::sort(plain.begin(), plain.end());
    require(ordered == plain, "the same in another order");
}

/// As the C library has it, where both mean the same.
void compare_patterns(const std::string& text, const std::string& pattern) {
    if (pattern.find_first_of("[]\\") != std::string::npos || pattern.size() > 12) return;
    if (text.find('\0') != std::string::npos || pattern.find('\0') != std::string::npos) return;
    const bool system = fnmatch(pattern.c_str(), text.c_str(), 0) == 0;
    require(matches_pattern(text, pattern) == system, "as fnmatch(3)");
}

}  // namespace

/// The first line is a name to look for, the second a key, of a type.
void fuzz::known_hosts(std::string_view bytes) {
    auto lines = split(bytes, '\n');
    if (lines.size() < 3 || lines.size() > most_lines) return;
    const std::string name = lines[0];
    const std::string key = lines[1];
    lines.erase(lines.begin(), lines.begin() + 2);
    std::string text;
    for (const auto& line : lines)
        text += line + "\n";
    AllocationLimit limit(in_proportion(bytes.size()));
    const KnownHosts all("F", text);
    limit.check();
    for (const auto& wanted : {name, std::string("node1"), known_hosts_name("node1", 2222)})
        judge(find(all, lines, wanted), "ssh-ed25519", key);
    compare_patterns(name, key);
}

}  // namespace launch
