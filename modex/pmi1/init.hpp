// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "core/base/error.hpp"

namespace launch {

struct PmiVersion {
    uint32_t major = 0;
    uint32_t minor = 0;

    bool operator==(const PmiVersion&) const = default;
};

/// The answered versions, whatever minor version is requested: 1.2 has barriers of groups and
/// threads, and a client that gets 1.1 does without them.
inline constexpr PmiVersion pmi1_version{1, 1};
inline constexpr PmiVersion pmi2_version{2, 0};

/// "cmd=init pmi_version=1 pmi_subversion=1", the first line of PMI-1 and of PMI-2.
Result<PmiVersion> parse_pmi_init(std::string_view line);

/// `ok` false: the client wanted another major version.
void append_pmi_init_response(PmiVersion version, bool ok, std::string& out);

}  // namespace launch
