// SPDX-License-Identifier: MIT
#include "transports/direct/link_identity.hpp"

#include <algorithm>
#include <array>
#include <charconv>

#include "core/base/hex.hpp"
#include "core/wire/contact.hpp"

namespace launch {
namespace {

constexpr std::array<const char*, 3> purpose_words{"move", "attach", "peer"};
/// In a longer chain of hosts the first and the last have no direct link. It bounds the work that
/// somebody makes who only says that he is of this job.
constexpr size_t most_steps = 1024;

/// The text up to the next slash, taken away with it.
std::string_view next_word(std::string_view& text) {
    const std::string_view word = text.substr(0, text.find('/'));
    text.remove_prefix(std::min(word.size() + 1, text.size()));
    return word;
}

/// 0 where there is no number, or more than one: text() says it otherwise then.
NodeIndex number_of_field(std::string_view word) {
    NodeIndex value = 0;
    std::from_chars(word.data(), word.data() + word.size(), value);
    return value;
}

NodeRange block(std::string_view word) {
    const size_t plus = std::min(word.find('+'), word.size());
    return {number_of_field(word.substr(0, plus)),
            number_of_field(word.substr(std::min(plus + 1, word.size())))};
}

/// Any bytes for what is no key in hex: text() says it otherwise then.
std::string public_key_of(std::string_view word) {
    std::string key(public_key_size, '\0');
    for (size_t i = 0; 2 * i + 2 <= word.size() && i < key.size(); ++i) {
        unsigned char byte = 0;
        std::from_chars(word.data() + 2 * i, word.data() + 2 * i + 2, byte, 16);
        key[i] = static_cast<char>(byte);
    }
    return key;
}

}  // namespace

std::string LinkIdentity::text(const std::string& job_id) const {
    std::string said = job_id + "/" + std::to_string(from) + "/" + std::to_string(to) + "/" +
                       purpose_words.at(static_cast<size_t>(purpose));
    for (const auto& [first, count] : path)
        said += "/" + std::to_string(first) + "+" + std::to_string(count);
    if (!public_key.empty()) said += "/=" + hex_bytes(public_key);
    return said;
}

std::optional<LinkIdentity> LinkIdentity::parse(const std::string& job_id, std::string_view text) {
    if (!text.starts_with(job_id)) return std::nullopt;
    std::string_view rest = text.substr(std::min(job_id.size() + 1, text.size()));
    LinkIdentity said;
    said.from = number_of_field(next_word(rest));
    said.to = number_of_field(next_word(rest));
    const auto* const purpose =
        std::find(purpose_words.begin(), purpose_words.end(), next_word(rest));
    if (purpose == purpose_words.end()) return std::nullopt;
    said.purpose = static_cast<LinkPurpose>(purpose - purpose_words.begin());
    if (rest.starts_with('=')) said.public_key = public_key_of(next_word(rest).substr(1));
    while (!rest.empty() && said.path.size() < most_steps)
        said.path.push_back(block(next_word(rest)));
    if (said.text(job_id) != text) return std::nullopt;
    return said;
}

}  // namespace launch
