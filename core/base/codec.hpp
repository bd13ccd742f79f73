// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace launch {

/// Appends values to a byte string: unsigned LEB128 integers and length-prefixed strings.
class Encoder {
  public:
    Encoder& number(uint64_t value);
    Encoder& flag(bool value) { return number(value ? 1 : 0); }
    Encoder& text(std::string_view value);
    Encoder& texts(const std::vector<std::string>& values);
    /// The rest of the message as it is; must come last.
    Encoder& raw(std::string_view value);

    std::string take() { return std::move(bytes_); }

  private:
    std::string bytes_;
};

/// Reads what Encoder wrote, from bytes that a peer sent: never past the end, never allocating
/// more than the input is long. After the first fault every read yields zero or empty and
/// ok() is false, so a decoder checks once, at its end.
class Decoder {
  public:
    explicit Decoder(std::string_view bytes) : rest_(bytes) {}

    uint64_t number();
    uint32_t number32();
    bool flag() { return number() != 0; }
    std::string_view text();
    std::vector<std::string> texts();
    /// A count of items that each take at least one byte: a larger one is a fault.
    uint32_t count();
    std::string_view rest();

    bool ok() const { return ok_; }
    /// True when everything was well formed and nothing is left over.
    bool done() const { return ok_ && rest_.empty(); }
    void fail() { ok_ = false; }

  private:
    std::string_view rest_;
    bool ok_ = true;
};

/// An enumerator, written as a number, of those from 0 to `last`.
template <class Enum>
Enum decode_enum(Decoder& in, Enum last) {
    const uint64_t value = in.number();
    if (value > static_cast<uint64_t>(last)) in.fail();
    return static_cast<Enum>(value);
}

/// The message, if what `in` read was exactly one.
template <class Message>
std::optional<Message> checked(const Decoder& in, Message message) {
    if (!in.done()) return std::nullopt;
    return message;
}

}  // namespace launch
