// SPDX-License-Identifier: MIT
#include "transports/ssh/agent.hpp"

#include <cerrno>
#include <cstring>
#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>

#include "core/base/clock.hpp"
#include "transports/ssh/wire_string.hpp"

namespace launch {
namespace {

constexpr char request_identities = 11;
constexpr char identities_answer = 12;
/// As OpenSSH bounds it.
constexpr uint32_t most_bytes = 256 * 1024;

class Deadline {
  public:
    explicit Deadline(AgentPatience patience) {
        if (patience) at_ = Clock::now() + *patience;
    }
    /// False: the time is over, or the socket is broken.
    bool wait(int fd, short events) const {
        pollfd socket{fd, events, 0};
        int ready = 0;
        while ((ready = ::poll(&socket, 1, left())) < 0 && errno == EINTR) {
        }
        return ready > 0;
    }

  private:
    int left() const {
        if (!at_) return -1;
        const auto left = std::chrono::ceil<std::chrono::milliseconds>(*at_ - Clock::now());
        return left.count() > 0 ? static_cast<int>(left.count()) : 0;
    }
    std::optional<Clock::time_point> at_;
};

bool send_all(int fd, std::string_view bytes, const Deadline& deadline) {
    while (!bytes.empty()) {
        const ssize_t n = ::send(fd, bytes.data(), bytes.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
        if (n > 0) {
            bytes.remove_prefix(static_cast<size_t>(n));
        } else if (errno == EAGAIN) {
            if (!deadline.wait(fd, POLLOUT)) return false;
        } else if (errno != EINTR) {
            return false;
        }
    }
    return true;
}

std::optional<std::string> receive_all(int fd, size_t size, const Deadline& deadline) {
    std::string bytes(size, '\0');
    size_t filled = 0;
    while (filled < size) {
        const ssize_t n = ::recv(fd, bytes.data() + filled, size - filled, MSG_DONTWAIT);
        if (n == 0) return std::nullopt;
        if (n > 0) {
            filled += static_cast<size_t>(n);
        } else if (errno == EAGAIN) {
            if (!deadline.wait(fd, POLLIN)) return std::nullopt;
        } else if (errno != EINTR) {
            return std::nullopt;
        }
    }
    return bytes;
}

}  // namespace

std::string_view AgentKey::type() const {
    std::string_view rest = public_key;
    return take_wire_string(rest).value_or(std::string_view());
}

std::string encode_agent_question() {
    return {request_identities};
}

bool is_agent_question(std::string_view message) {
    return !message.empty() && message.front() == request_identities;
}

std::string encode_agent_keys(const std::vector<AgentKey>& keys) {
    std::string message{identities_answer};
    put_wire_number(message, static_cast<uint32_t>(keys.size()));
    for (const auto& key : keys) {
        put_wire_string(message, key.public_key);
        put_wire_string(message, key.comment);
    }
    return message;
}

std::vector<AgentKey> decode_agent_keys(std::string_view message) {
    std::vector<AgentKey> keys;
    if (message.empty() || message.front() != identities_answer) return keys;
    message.remove_prefix(1);
    const uint32_t count = take_wire_number(message).value_or(0);
    while (keys.size() < count) {
        const auto key = take_wire_string(message);
        const auto comment = take_wire_string(message);
        if (!key || !comment) break;
        keys.push_back({std::string(*key), std::string(*comment)});
    }
    return keys;
}

bool send_agent_message(int fd, std::string_view message, AgentPatience patience) {
    std::string packet;
    put_wire_string(packet, message);
    return send_all(fd, packet, Deadline(patience));
}

std::optional<std::string> receive_agent_message(int fd, AgentPatience patience) {
    const Deadline deadline(patience);
    const auto head = receive_all(fd, sizeof(uint32_t), deadline);
    if (!head) return std::nullopt;
    std::string_view rest = *head;
    const uint32_t size = take_wire_number(rest).value_or(0);
    if (size == 0 || size > most_bytes) return std::nullopt;
    return receive_all(fd, size, deadline);
}

UniqueFd connect_agent(const std::string& path) {
    sockaddr_un address{};
    if (path.empty() || path.size() >= sizeof address.sun_path) return {};
    address.sun_family = AF_UNIX;
    std::memcpy(address.sun_path, path.c_str(), path.size() + 1);
    UniqueFd fd(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
    if (!fd) return {};
    if (::connect(fd.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0)
        return {};
    return fd;
}

std::optional<std::vector<AgentKey>> ask_agent(int fd, AgentPatience patience) {
    if (!send_agent_message(fd, encode_agent_question(), patience)) return std::nullopt;
    const auto answer = receive_agent_message(fd, patience);
    if (!answer) return std::nullopt;
    return decode_agent_keys(*answer);
}

}  // namespace launch
