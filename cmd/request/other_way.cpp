// SPDX-License-Identifier: MIT
#include "cmd/request/other_way.hpp"

#include <algorithm>
#include <array>
#include <string_view>

#include "transports/start_error.hpp"

namespace launch {
namespace {

struct OwnStarter {
    std::string_view scheduler;  ///< as the description of its allocation begins
    std::string_view transport;
};

constexpr auto starters =
    std::to_array<OwnStarter>({{"Slurm", "srun"}, {"PBS", "pbsdsh"}, {"Flux", "flux"}});

/// It ended before anything of launch ran there.
bool is_of_login(const Error& error) {
    constexpr auto stages = std::to_array<std::string_view>(
        {start_error::resolve, start_error::connect, start_error::key_exchange, start_error::verify,
         start_error::authenticate, start_error::channel});
    return error.kind == ErrorKind::unreachable &&
           std::find(stages.begin(), stages.end(), error.operation) != stages.end();
}

}  // namespace

std::string other_way(const Reach& reach, const Error& error) {
    const bool by_ssh = reach.transport == "ssh" || reach.transport == "openssh";
    if (!by_ssh || !is_of_login(error)) return {};
    for (const auto& [scheduler, starter] : starters)
        if (reach.allocation.starts_with(std::string(scheduler) + ","))
            return "a job of " + std::string(scheduler) +
                   " also starts its hosts without ssh: --transport " + std::string(starter) +
                   " (see launch help ssh)";
    return {};
}

}  // namespace launch
