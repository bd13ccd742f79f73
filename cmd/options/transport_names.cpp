#include "cmd/options/transport_names.hpp"

#include <array>

#include "cmd/options/suggest.hpp"
#include "cmd/options/usage_error.hpp"
#include "core/base/list_text.hpp"

namespace launch {
namespace {

constexpr auto names = std::to_array<std::string_view>({"local", "ssh", "openssh"});

}  // namespace

std::span<const std::string_view> known_transports() {
    return names;
}

Error unknown_transport(const std::string& name) {
    std::string known;
    for (const auto each : names)
        append_part(known, ", ", each);
    auto error =
        usage_error("unknown transport " + shown(name) + did_you_mean(nearest(name, names)));
    error.hint = "known: " + known;
    return error;
}

}  // namespace launch
