#include "cmd/options/transport_names.hpp"

#include <array>

#include "cmd/options/suggest.hpp"
#include "cmd/options/usage_error.hpp"
#include "core/base/list_text.hpp"

namespace launch {
namespace {

constexpr auto known = std::to_array<TransportName>({
    {"local", "plays the hosts on this machine, to try things out"},
    {"ssh", "logs in within launch itself, the default"},
    {"openssh", "runs the ssh program in PATH"},
});

}  // namespace

std::span<const TransportName> known_transports() {
    return known;
}

std::vector<std::string_view> transport_names() {
    std::vector<std::string_view> names;
    names.reserve(known.size());
    for (const auto& each : known)
        names.push_back(each.name);
    return names;
}

Error unknown_transport(const std::string& name) {
    const auto names = transport_names();
    auto error =
        usage_error("unknown transport " + shown(name) + did_you_mean(nearest(name, names)));
    error.hint = "known: " + joined(names, ", ");
    return error;
}

}  // namespace launch
