// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/error.hpp"

namespace launch {

/// A PMI-2 message is six characters that tell its length, then "cmd=kvs-put;key=a;value=b;". A ';'
/// within a value is doubled.

/// The limits of clients: 64 KiB a message, 64 bytes a key and 1024 a value. They are not sent to
/// clients.
inline constexpr size_t pmi2_length_digits = 6;
inline constexpr size_t pmi2_message_max = 64u << 10;
inline constexpr size_t pmi2_keylen_max = 64;
inline constexpr size_t pmi2_vallen_max = 1024;

/// The length of the message's rest, from its first six characters: blanks before or after the
/// digits, as clients differ. Nothing: it is none, or out of range.
std::optional<size_t> parse_pmi2_length(std::string_view six);

/// One message without its length; a view.
class Pmi2Message {
  public:
    /// Checks that it is well formed.
    static Result<Pmi2Message> parse(std::string_view body);

    std::string_view command() const { return command_; }
    /// All that follows it, in its order, as it was meant.
    std::vector<std::pair<std::string_view, std::string>> fields() const;
    /// The value of the first field of that name, as it was meant.
    std::optional<std::string> field(std::string_view name) const;
    /// The field as it was sent, every ';' doubled.
    std::optional<std::string_view> raw_field(std::string_view name) const;

  private:
    std::string_view command_;
    std::string_view fields_;
};

/// Appends a message to `out`.
class Pmi2Writer {
  public:
    Pmi2Writer(std::string& out, std::string_view command, std::string_view suffix = {});

    Pmi2Writer& field(std::string_view name, std::string_view value);
    Pmi2Writer& number(std::string_view name, int64_t value);
    /// Its length is known now.
    void finish();

  private:
    std::string& out_;
    size_t begin_;
};

}  // namespace launch
