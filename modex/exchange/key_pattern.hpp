// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace launch {

/// Ranks name their cards after themselves: "P17-businesscard". The pattern of a key is the key
/// with its owner's number taken out. All ranks of a job share a handful of patterns, so who
/// knows the patterns can tell from any key which rank owns it, without an index of all keys.
///
/// A pattern is written as one string: what is before the number, a zero byte, the number's
/// width where it is padded with zeros (else a byte 0), what is after it. Keys hold no zero byte.
/// A key without its owner's number is its own pattern: a literal.
std::string pattern_of(std::string_view key, uint32_t owner);
bool is_literal(std::string_view pattern);
/// The inverse of pattern_of().
std::string key_of(std::string_view pattern, uint32_t owner);

/// The patterns of a job, and the owners of its literal keys.
class PatternIndex {
  public:
    /// `owner` matters for a literal only, and replaces the one it had.
    void add(std::string_view pattern, uint32_t owner);
    /// Whether add() would change nothing.
    bool contains(std::string_view pattern, uint32_t owner) const;
    /// The ranks that may own `key`, the most likely first; replaces the contents of `out`. Empty:
    /// no rank has put the key.
    void owners(std::string_view key, std::vector<uint32_t>& out) const;

  private:
    std::unordered_set<std::string> patterns_;
    std::unordered_map<std::string, uint32_t> literals_;
};

}  // namespace launch
