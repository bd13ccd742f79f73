#include "cmd/wiring.hpp"

#include <algorithm>
#include <array>

#include "cmd/suggest.hpp"
#include "cmd/usage_error.hpp"
#include "modex/mapping/process_mapping.hpp"
#include "modex/server/modex_service.hpp"
#include "topologies/registry.hpp"
#include "transports/command/openssh_transport.hpp"
#include "transports/direct/tls_links.hpp"
#include "transports/local/local_transport.hpp"
#include "transports/ssh/ssh_transport.hpp"

namespace launch {
namespace {

using Made = std::unique_ptr<Transport>;

constexpr auto names = std::to_array<std::string_view>({"local", "ssh", "openssh"});

Error unknown_transport(const std::string& name) {
    std::string known;
    for (const auto each : names)
        known += (known.empty() ? "" : ", ") + std::string(each);
    auto error =
        usage_error("unknown transport " + shown(name) + did_you_mean(nearest(name, names)));
    error.hint = "known: " + known;
    return error;
}

Result<Made> make_transport(any_io_executor executor, const TransportOptions& options,
                            Reaper& reaper, TransportNote note) {
    if (options.name == "local") return make_local_transport(std::move(executor));
    if (options.name == "ssh")
        return make_ssh_transport(executor, options, reaper, std::move(note));
    if (options.name == "openssh") return make_openssh_transport(executor, options, reaper);
    return unknown_transport(options.name);
}

}  // namespace

std::span<const std::string_view> known_transports() {
    return names;
}

Status check_transport(const std::string& name) {
    if (std::find(names.begin(), names.end(), name) == names.end()) return unknown_transport(name);
    return Ok{};
}

TransportFactory transport_factory() {
    return make_transport;
}

TopologyFactory topology_factory() {
    return [](const std::string& name, uint32_t degree, NodeIndex nodes, std::string* reason) {
        return make_topology(name, degree, nodes, reason);
    };
}

Factories factories() {
    return {transport_factory(), topology_factory(), make_modex_service, make_tls_links,
            [](const Placement& placement) { return process_mapping(placement); }};
}

}  // namespace launch
