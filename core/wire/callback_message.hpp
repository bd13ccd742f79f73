// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/wire/contact.hpp"

namespace launch {

/// The message to relays that one command has started, on their standard input, which is the same
/// for all of them, or in a file that all their hosts see: the address to call back, and the key.
/// It is a secret.
struct CallbackMessage {
    std::string id;                  ///< of this call, as a job's in its links' identities
    std::string key;                 ///< the root of the keys that the callers make theirs of
    std::vector<Contact> addresses;  ///< of who started them: one of these can be reached
    std::vector<std::string> hosts;  ///< who is called: the first is node 1 of these links

    /// One line of hexadecimal digits without its end: services may pass on whole lines only.
    std::string encode() const;
    static std::optional<CallbackMessage> decode(std::string_view line);

    bool operator==(const CallbackMessage&) const = default;
};

/// The word after --relay on the command line of such a relay; the file's path, if there is one,
/// follows it.
inline constexpr const char* call_back_word = "--call-back";

/// The longest line that is read: a hundred thousand hosts.
inline constexpr size_t callback_line_limit = size_t{8} << 20;

/// Which of the hosts has one of these names, the surest first: its place, or nothing. A short name
/// stands for the whole one and the other way round, where that is not another host's.
std::optional<size_t> own_place(const std::vector<std::string>& hosts,
                                const std::vector<std::string>& names);

}  // namespace launch
