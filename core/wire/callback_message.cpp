// SPDX-License-Identifier: MIT
#include "core/wire/callback_message.hpp"

#include <algorithm>

#include "core/base/codec.hpp"
#include "core/base/hex.hpp"
#include "core/wire/contact_codec.hpp"

namespace launch {
namespace {

/// The value of a hexadecimal digit; negative: it is not one.
int digit(char c) {
    if (c >= '0' && c <= '9') return c - '0';
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

std::optional<std::string> bytes_of(std::string_view digits) {
    if (digits.size() % 2 != 0) return std::nullopt;
    std::string bytes;
    bytes.reserve(digits.size() / 2);
    for (size_t i = 0; i < digits.size(); i += 2) {
        const int high = digit(digits[i]);
        const int low = digit(digits[i + 1]);
        if (high < 0 || low < 0) return std::nullopt;
        bytes += static_cast<char>(high * 16 + low);
    }
    return bytes;
}

std::string_view short_name(std::string_view name) {
    return name.substr(0, name.find('.'));
}

}  // namespace

std::string CallbackMessage::encode() const {
    Encoder out;
    out.text(id).text(key);
    encode_contacts(out, addresses);
    out.texts(hosts);
    return hex_bytes(out.take());
}

std::optional<CallbackMessage> CallbackMessage::decode(std::string_view line) {
    const auto bytes = bytes_of(line);
    if (!bytes) return std::nullopt;
    Decoder in(*bytes);
    CallbackMessage message;
    message.id = in.text();
    message.key = in.text();
    message.addresses = decode_contacts(in);
    message.hosts = in.texts();
    return checked(in, std::move(message));
}

std::optional<size_t> own_place(const std::vector<std::string>& hosts,
                                const std::vector<std::string>& names) {
    const auto place = [&](const auto& is_it) -> std::optional<size_t> {
        const auto found = std::find_if(hosts.begin(), hosts.end(), is_it);
        if (found == hosts.end()) return std::nullopt;
        return static_cast<size_t>(found - hosts.begin());
    };
    for (const auto& name : names)
        if (const auto at = place([&](const auto& host) { return host == name; })) return at;
    for (const auto& name : names) {
        const auto alike = [&](const auto& host) {
            return !name.empty() && short_name(host) == short_name(name);
        };
        if (std::count_if(hosts.begin(), hosts.end(), alike) == 1) return place(alike);
    }
    return std::nullopt;
}

}  // namespace launch
