// SPDX-License-Identifier: MIT
#include "transports/ssh/agent_filter.hpp"

#include <sys/socket.h>
#include <system_error>

namespace launch {

AgentFilter::AgentFilter(int agent)
    : agent_(agent), ends_(make_socket_pair()), shown_(encode_agent_keys({})) {
    if (!ends_.second) return;
    try {
        thread_ = std::thread([this] { pass_on(); });
    } catch (const std::system_error&) {
        ends_ = {};
    }
}

AgentFilter::~AgentFilter() {
    if (!thread_.joinable()) return;
    ::shutdown(ends_.second.get(), SHUT_RDWR);
    ::shutdown(agent_, SHUT_RDWR);
    thread_.join();
}

void AgentFilter::show(const AgentKey& key) {
    const std::lock_guard lock(mutex_);
    shown_ = encode_agent_keys({key});
}

std::string AgentFilter::shown() const {
    const std::lock_guard lock(mutex_);
    return shown_;
}

void AgentFilter::pass_on() {
    const int end = ends_.second.get();
    while (auto message = receive_agent_message(end)) {
        if (is_agent_question(*message)) {
            if (!send_agent_message(end, shown())) break;
            continue;
        }
        if (!send_agent_message(agent_, *message)) break;
        const auto answer = receive_agent_message(agent_);
        if (!answer || !send_agent_message(end, *answer)) break;
    }
    // libssh waits for an answer without a limit.
    ::shutdown(end, SHUT_RDWR);
}

}  // namespace launch
