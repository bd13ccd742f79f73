// SPDX-License-Identifier: MIT
#include "core/process/free_port.hpp"

#include <cstdio>
#include <netinet/in.h>
#include <sys/socket.h>
#include <utility>

#include "core/base/random.hpp"

namespace launch {
namespace {

constexpr uint16_t lowest = 20'000;
constexpr int tries = 64;

/// The first port that the kernel gives to connections. 32768 where it does not tell.
unsigned first_of_kernel() {
    unsigned first = 32'768;
    std::FILE* file = std::fopen("/proc/sys/net/ipv4/ip_local_port_range", "re");
    if (file == nullptr) return first;
    unsigned read = 0;
    if (std::fscanf(file, "%u", &read) == 1) first = read;  // NOLINT(cert-err34-c): checked
    std::fclose(file);
    return first;
}

/// Binds the port on all addresses, as ranks will listen; 0: any port. No one can connect to it,
/// because it does not listen, and it leaves nothing behind.
std::optional<std::pair<UniqueFd, uint16_t>> take(uint16_t port) {
    UniqueFd socket(::socket(AF_INET6, SOCK_STREAM | SOCK_CLOEXEC, 0));
    sockaddr_storage storage{};
    socklen_t size = sizeof(sockaddr_in6);
    auto* address = reinterpret_cast<sockaddr*>(&storage);
    auto* six = reinterpret_cast<sockaddr_in6*>(&storage);
    auto* four = reinterpret_cast<sockaddr_in*>(&storage);
    if (socket) {
        six->sin6_family = AF_INET6;
        six->sin6_port = htons(port);
    } else {  // a host without IPv6
        socket = UniqueFd(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
        four->sin_family = AF_INET;
        four->sin_port = htons(port);
        size = sizeof(sockaddr_in);
    }
    if (!socket || bind(socket.get(), address, size) != 0) return std::nullopt;
    if (getsockname(socket.get(), address, &size) != 0) return std::nullopt;
    const uint16_t taken = address->sa_family == AF_INET6 ? six->sin6_port : four->sin_port;
    return std::pair{std::move(socket), ntohs(taken)};
}

}  // namespace

std::optional<HeldPort> HeldPort::find() {
    const unsigned end = first_of_kernel();
    for (int i = 0; i < tries && end > lowest; ++i) {
        const auto port = static_cast<uint16_t>(lowest + random_number() % (end - lowest));
        if (auto held = take(port)) return HeldPort(std::move(held->first), held->second);
    }
    auto held = take(0);
    if (!held) return std::nullopt;
    return HeldPort(std::move(held->first), held->second);
}

}  // namespace launch
