// SPDX-License-Identifier: MIT
#include "core/hosts/host_text.hpp"

#include <algorithm>
#include <arpa/inet.h>
#include <array>
#include <cstdint>
#include <limits>

#include "core/base/hex.hpp"
#include "core/base/number_text.hpp"

namespace launch {
namespace {

constexpr std::size_t max_name_length = 255;
constexpr std::size_t max_quoted_length = 64;

enum CharClass : uint8_t { in_name = 1, in_user = 2 };

// Lists what is allowed rather than what is dangerous: every shell has its own metacharacters.
constexpr std::array<uint8_t, 256> make_char_classes() {
    std::array<uint8_t, 256> table{};
    constexpr std::string_view both =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-";
    for (char c : both) {
        table[static_cast<uint8_t>(c)] = in_name | in_user;
    }
    for (char c : std::string_view("+@")) {  // joe@corp.example as a user of a directory service
        table[static_cast<uint8_t>(c)] = in_user;
    }
    return table;
}
constexpr auto char_classes = make_char_classes();

std::string objection_to_word(std::string_view word, std::string_view what, CharClass allowed) {
    if (word.empty()) return "the " + std::string(what) + " is empty";
    if (word.size() > max_name_length) {
        return "the " + std::string(what) + " is longer than " + std::to_string(max_name_length) +
               " characters";
    }
    if (word[0] == '-' || word[0] == '.') {
        return "the " + std::string(what) + " begins with '" + word[0] + "'";
    }
    for (const char& c : word) {
        if ((char_classes[static_cast<uint8_t>(c)] & allowed) == 0) {
            return "the character " + quoted({&c, 1}) + " is not allowed in a " + std::string(what);
        }
    }
    return {};
}

bool is_ipv6(std::string_view address) {
    in6_addr ignored{};
    return inet_pton(AF_INET6, std::string(address).c_str(), &ignored) == 1;
}

std::string objection_to_address(std::string_view text) {
    std::size_t percent = text.find('%');
    std::string_view address = text.substr(0, percent);
    // A NUL would end the text early for inet_pton.
    if (address.find('\0') != address.npos || !is_ipv6(address)) {
        return quoted(text) + " is not an IPv6 address";
    }
    if (percent == text.npos) return {};
    return objection_to_word(text.substr(percent + 1), "zone of the IPv6 address", in_name);
}

std::string read_number(std::string_view text, std::string_view what, uint64_t max,
                        uint64_t& value) {
    if (!all_digits(text)) {
        return "the " + std::string(what) + " " + quoted(text) + " is not a number";
    }
    // Nothing: not even 64 bits hold it.
    const auto number = parse_number<uint64_t>(text);
    value = number.value_or(0);
    if (!number || value > max) {
        return "the " + std::string(what) + " " + std::string(text.substr(0, max_quoted_length)) +
               " is above " + std::to_string(max);
    }
    return {};
}

std::string read_port(std::string_view text, uint16_t& port) {
    uint64_t value = 0;
    std::string objection = read_number(text, "port", std::numeric_limits<uint16_t>::max(), value);
    port = static_cast<uint16_t>(value);
    return objection;
}

// `suffix` is what follows the name, with its colon.
std::string read_suffix(std::string_view suffix, bool has_user, Host& host) {
    if (suffix.empty()) return {};
    if (suffix[0] != ':') return "unexpected " + quoted(suffix) + " after the address";
    suffix.remove_prefix(1);
    std::size_t colon = suffix.find(':');
    if (colon == suffix.npos) {
        return has_user ? read_port(suffix, host.port) : read_slots(suffix, host.slots);
    }
    std::string objection = read_port(suffix.substr(0, colon), host.port);
    return objection.empty() ? read_slots(suffix.substr(colon + 1), host.slots) : objection;
}

// An IPv6 address begins with its bracket; returns the rest, after the name.
std::string read_name(std::string_view& text, Host& host) {
    if (text.starts_with('[')) {
        std::size_t close = std::min(text.find(']'), text.size());
        host.name = text.substr(1, close - 1);
        text.remove_prefix(std::min(close + 1, text.size()));
        return objection_to_address(host.name);
    }
    std::size_t colon = std::min(text.find(':'), text.size());
    if (text.find(':', colon + 1) != text.npos && is_ipv6(text)) {
        return "an IPv6 address is written in brackets: [" + std::string(text) + "]";
    }
    host.name = text.substr(0, colon);
    text.remove_prefix(colon);
    return objection_to_word(host.name, "name", in_name);
}

}  // namespace

bool has_control(std::string_view text) {
    return std::any_of(text.begin(), text.end(),
                       [](char c) { return static_cast<unsigned char>(c) < ' ' || c == 0x7f; });
}

std::string quoted(std::string_view text) {
    std::string out = "\"";
    for (char c : text.substr(0, max_quoted_length)) {
        auto byte = static_cast<uint8_t>(c);
        if (byte >= 0x20 && byte < 0x7f) {
            out += c;
        } else {
            out += "\\x" + hex_byte(c);
        }
    }
    return out + (text.size() > max_quoted_length ? "...\"" : "\"");
}

std::string objection_to_user(std::string_view user) {
    return objection_to_word(user, "user", in_user);
}

std::string objection_to_name(std::string_view name) {
    // Only an IPv6 address may hold a colon.
    if (name.find(':') != name.npos) return objection_to_address(name);
    return objection_to_word(name, "name", in_name);
}

std::string read_slots(std::string_view text, uint32_t& slots) {
    uint64_t value = 0;
    std::string objection =
        read_number(text, "number of slots", std::numeric_limits<uint32_t>::max(), value);
    if (objection.empty() && value == 0) return "the number of slots is 0";
    slots = static_cast<uint32_t>(value);
    return objection;
}

std::string read_host(std::string_view text, Host& host) {
    host = {};
    std::size_t at = text.rfind('@');
    bool has_user = at != text.npos;
    if (has_user) {
        host.user = text.substr(0, at);
        text.remove_prefix(at + 1);
        std::string objection = objection_to_user(host.user);
        if (!objection.empty()) return objection;
    }
    std::string objection = read_name(text, host);
    return objection.empty() ? read_suffix(text, has_user, host) : objection;
}

std::string to_string(const Host& host) {
    std::string out;
    if (!host.user.empty()) out.append(host.user).append("@");
    if (host.name.find(':') != host.name.npos) {
        out.append("[").append(host.name).append("]");
    } else {
        out.append(host.name);
    }
    bool slots = host.slots != 1;
    // One number alone is slots without a user and a port with one; otherwise both are written.
    bool port = host.port != 0 || (slots && !host.user.empty());
    if (port) out.append(":").append(std::to_string(host.port));
    if (slots || (port && host.user.empty())) out.append(":").append(std::to_string(host.slots));
    return out;
}

}  // namespace launch
