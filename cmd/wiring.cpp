// SPDX-License-Identifier: MIT
#include "cmd/wiring.hpp"

#include "cmd/options/transport_names.hpp"
#include "core/run/rank_process.hpp"
#include "modex/mapping/process_mapping.hpp"
#include "modex/server/modex_service.hpp"
#include "topologies/machine/hwloc_machine.hpp"
#include "topologies/machine/remembered_machine.hpp"
#include "topologies/registry.hpp"
#include "transports/command/callback_transport.hpp"
#include "transports/command/command_names.hpp"
#include "transports/command/template_transport.hpp"
#include "transports/direct/tls_links.hpp"
#include "transports/local/local_transport.hpp"
#include "transports/local/own_machine_transport.hpp"
#include "transports/ssh/openssh_transport.hpp"
#include "transports/ssh/ssh_transport.hpp"
#include "transports/ssh/ssh_user.hpp"

namespace launch {
namespace {

using Made = std::unique_ptr<Transport>;

Result<Made> make_named(any_io_executor executor, const TransportOptions& options, Reaper& reaper,
                        TransportNote note, RemovalList* to_remove) {
    if (options.name == "local") return make_local_transport(std::move(executor), options);
    if (options.name == "ssh")
        return make_ssh_transport(executor, options, reaper, std::move(note));
    if (options.name == "openssh")
        return make_openssh_transport(executor, std::make_shared<SshProfile>(options), reaper,
                                      std::move(note));
    if (const auto command = find_command(options.name)) {
        auto line = CommandTemplate::parse(command->line);
        if (!line) return std::move(line.error());
        if (line->starts_all())
            return make_callback_transport(executor, reaper,
                                           {std::move(*line), options.call_folder, to_remove});
        return make_template_transport(executor, reaper, std::move(*line), current_ssh_user().name);
    }
    return unknown_transport(options.name);
}

Result<Made> make_transport(any_io_executor executor, const TransportOptions& options,
                            Reaper& reaper, TransportNote note, RemovalList* to_remove) {
    auto made = make_named(executor, options, reaper, std::move(note), to_remove);
    if (!made || options.own_names.empty()) return made;
    return make_own_machine_transport(options.own_names, make_local_transport(executor, options),
                                      std::move(*made));
}

}  // namespace

TransportFactory transport_factory() {
    return make_transport;
}

TopologyFactory topology_factory() {
    return [](const std::string& name, uint32_t degree, NodeIndex nodes, std::string* reason) {
        return make_topology(name, degree, nodes, reason);
    };
}

Factories factories() {
    return {transport_factory(),
            topology_factory(),
            modex_service_factory(libpmix()),
            make_rank_process,
            make_tls_links,
            [](const Placement& placement) { return process_mapping(placement); },
            remembered(read_machine)};
}

}  // namespace launch
