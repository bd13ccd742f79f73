// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <string>
#include <variant>

#include "core/factories.hpp"
#include "core/transport.hpp"
#include "core/wire/call_end.hpp"

namespace launch {

/// A link to who wanted to be called.
struct CalledBack {
    std::unique_ptr<ByteStream> stream;
    std::string own_address;  ///< from which the call went out; empty: not known
};

/// Why there is none. The error is for standard error, and empty where nobody need read it.
struct NotCalledBack {
    CallEnd end = CallEnd::not_told;
    Error error;
};

/// `launch --relay --call-back [FILE]`: a relay that was started with many others by one command,
/// whose streams are no link. Reads a CallbackMessage from that file, or from standard input where
/// it is empty, and calls who sent it over a direct link that takes the streams' place.
///
/// What starts relays without standard input, as pbsdsh does, starts them on hosts of its own
/// choice, and several on each: one that is not needed ends without a word.
awaitable<std::variant<CalledBack, NotCalledBack>> call_back(any_io_executor executor,
                                                             const Factories& factories,
                                                             std::string file);

/// By which the relays of one host that read the same file agree which of them calls.
std::string call_claim(const std::string& file);

}  // namespace launch
