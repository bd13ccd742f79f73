// SPDX-License-Identifier: MIT
#include "core/tree/relay_request.hpp"

#include "core/push/bootstrap.hpp"

namespace launch {
namespace {

StartRequest request_for(const Host& host, const TreePolicies& policies) {
    StartRequest request;
    request.host = host;
    request.connect_timeout = policies.connect_timeout;
    request.start_timeout = policies.start_timeout;
    return request;
}

}  // namespace

StartRequest relay_request(const Host& host, const LaunchPath& launch,
                           const TreePolicies& policies) {
    if (policies.push == PushChoice::always) return pushed_relay_request(host, policies);
    StartRequest request = request_for(host, policies);
    request.argv = {launch.path, "--relay"};
    request.owners = launch.owners;
    if (policies.push == PushChoice::automatic) request.otherwise = bootstrap_command(true);
    return request;
}

StartRequest pushed_relay_request(const Host& host, const TreePolicies& policies) {
    StartRequest request = request_for(host, policies);
    request.argv = bootstrap_command(false);
    return request;
}

}  // namespace launch
