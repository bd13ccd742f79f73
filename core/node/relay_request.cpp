#include "core/node/relay_request.hpp"

namespace launch {

StartRequest relay_request(const Host& host, const std::string& path, const Policies& policies) {
    StartRequest request;
    request.host = host;
    request.argv = {path, "--relay"};
    request.connect_timeout = policies.connect_timeout;
    request.start_timeout = policies.start_timeout;
    return request;
}

}  // namespace launch
