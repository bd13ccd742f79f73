// SPDX-License-Identifier: MIT
#include "transports/ssh/look_up.hpp"

#include <algorithm>
#include <resolv.h>
#include <string>
#include <sys/socket.h>

#include "transports/start_error.hpp"

namespace launch {
namespace {

using std::chrono::milliseconds;

/// DNS's own patience (5 s a try, more servers, more tries) is longer than ours may be.
void bound_resolver(milliseconds patience) {
    if ((_res.options & RES_INIT) == 0 && res_init() != 0) return;
    _res.retry = 2;
    _res.retrans = static_cast<int>(std::clamp<int64_t>(patience.count() / 4000, 1, 5));
}

int family_of(HostConfig::Family family) {
    switch (family) {
        case HostConfig::Family::ipv4: return AF_INET;
        case HostConfig::Family::ipv6: return AF_INET6;
        default: return AF_UNSPEC;
    }
}

LookUp ask_system(const HostConfig& config, milliseconds patience) {
    bound_resolver(patience);
    addrinfo hints{};
    hints.ai_socktype = SOCK_STREAM;
    hints.ai_flags = AI_NUMERICSERV;
    hints.ai_family = family_of(config.family);
    addrinfo* list = nullptr;
    const int code =
        ::getaddrinfo(config.host_name.c_str(), std::to_string(config.port).c_str(), &hints, &list);
    if (code == 0) return {Addresses(list), {}};
    // It could not read its files or ask a server, and takes that for the name's fault.
    if (auto error = start_error::out_of_descriptors(start_error::resolve))
        return {nullptr, {*std::move(error), Retry::no}};
    if (code == EAI_NONAME || code == EAI_NODATA || code == EAI_ADDRFAMILY)
        return {nullptr, {start_error::no_such_name(config.starter), Retry::no}};
    return {nullptr,
            {start_error::resolver_failed(::gai_strerror(code), config.starter), Retry::no}};
}

}  // namespace

awaitable<LookUp> look_up(DetachedPool& pool, HostConfig config, milliseconds patience,
                          std::stop_token stop) {
    const auto answer = std::make_shared<LookUp>();
    auto work = [answer, config = std::move(config), patience] {
        *answer = ask_system(config, patience);
    };
    const bool answered = co_await pool.run(std::move(work), patience, stop);
    if (answered) co_return std::move(*answer);
    LookUp none;
    if (auto refused = pool.no_thread(); refused && !stop.stop_requested()) {
        none.failure = {*std::move(refused), Retry::no};
        co_return none;
    }
    none.failure.error = stop.stop_requested()
                             ? start_error::given_up()
                             : start_error::no_answer(start_error::resolve, patience);
    co_return none;
}

}  // namespace launch
