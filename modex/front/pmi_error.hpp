// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>

#include "core/base/error.hpp"
#include "modex/front/printable.hpp"

namespace launch {

/// How much of a faulty message a user sees, in characters.
inline constexpr size_t max_quote = 60;

/// The rank does not keep to `protocol` ("PMI-1"): the end of its session.
inline Error pmi_error(std::string_view protocol, std::string cause) {
    Error error;
    error.operation = std::string(protocol) + " protocol";
    error.cause = std::move(cause);
    return error;
}

/// "sent 'cmd=foo'" and `why`: ", which is not PMI-1" or " before init".
inline Error pmi_error(std::string_view protocol, std::string_view message, std::string_view why) {
    return pmi_error(protocol, "sent '" + printable(message, max_quote) + "'" + std::string(why));
}

/// It asks and asks and reads no answer.
inline Error pmi_flood(std::string_view protocol, std::string_view unread) {
    return pmi_error(
        protocol, "sent " + std::to_string(unread.size()) + " bytes without waiting for an answer");
}

}  // namespace launch
