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

/// The reason why a relay did not call back. The error is for standard error, and empty if no one
/// needs to read it.
struct NotCalledBack {
    CallEnd end = CallEnd::not_told;
    Error error;
};

/// `launch --relay --call-back [FILE]`: a relay that was started with many others by one command,
/// whose streams are no link. Reads a CallbackMessage from that file, or from standard input if
/// FILE is empty, and calls its sender over a direct link that replaces the streams.
///
/// A program that starts relays without standard input, such as pbsdsh, chooses the hosts itself,
/// and starts several relays on each: a relay that is not needed ends silently.
awaitable<std::variant<CalledBack, NotCalledBack>> call_back(any_io_executor executor,
                                                             const Factories& factories,
                                                             std::string file);

/// By which the relays of one host that read the same file agree which of them calls.
std::string call_claim(const std::string& file);

}  // namespace launch
