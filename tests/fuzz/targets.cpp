// SPDX-License-Identifier: MIT
#include "tests/fuzz/targets.hpp"

#include <array>

namespace launch::fuzz {

std::span<const Target> targets() {
    static constexpr auto all = std::to_array<Target>({
        {"client", client},
        {"client_port", client_port},
        {"command_line", command_line},
        {"detect", detect},
        {"direct", direct},
        {"exchange", exchange},
        {"facts", facts},
        {"fetched", fetched},
        {"frames", frames},
        {"healing", healing},
        {"hosts", hosts},
        {"job_file", job_file},
        {"known_hosts", known_hosts},
        {"node_map", node_map},
        {"opening", opening},
        {"openssh", openssh},
        {"pmi", pmi},
        {"pmi_port", pmi_port},
        {"pmix_event", pmix_event},
        {"record", record},
        {"relay", relay},
        {"ssh_config", ssh_config},
    });
    return all;
}

}  // namespace launch::fuzz
