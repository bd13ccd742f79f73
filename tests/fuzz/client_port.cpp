// SPDX-License-Identifier: MIT
// The same launcher as client.cpp's, at a port: it also says which rank it is that comes.
#include <arpa/inet.h>
#include <array>
#include <cstdint>
#include <cstdlib>
#include <netinet/in.h>
#include <sys/socket.h>
#include <thread>
#include <unistd.h>

#include "core/base/fd.hpp"
#include "tests/fuzz/client_run.hpp"
#include "tests/fuzz/targets.hpp"

namespace launch {
namespace {

using fuzz::require;

constexpr std::string_view good_start =
    "cmd=initack rc=0\ncmd=set size=3\ncmd=set rank=1\ncmd=set debug=0\n";

/// An address of this machine's own for each run. The port of a run that has ended waits a minute
/// for late packets, and a fast machine would have used up all ports of one address by then.
in_addr_t next_address() {
    static std::uint32_t runs = 0;
    constexpr std::uint32_t addresses = 1 << 16;
    return htonl(INADDR_LOOPBACK + runs++ % addresses);
}

/// Says all to the one who comes first, and leaves when that one has.
class Launcher {
  public:
    explicit Launcher(const std::string& says) : listener_(socket(AF_INET, SOCK_STREAM, 0)) {
        sockaddr_in address{};
        address.sin_family = AF_INET;
        address.sin_addr.s_addr = next_address();
        auto* const any = reinterpret_cast<sockaddr*>(&address);
        socklen_t length = sizeof address;
        require(bind(listener_.get(), any, length) == 0 && listen(listener_.get(), 1) == 0 &&
                    getsockname(listener_.get(), any, &length) == 0,
                "a port");
        unsetenv("PMI_FD");
        std::array<char, INET_ADDRSTRLEN> host{};
        require(inet_ntop(AF_INET, &address.sin_addr, host.data(), host.size()) != nullptr,
                "an address");
        const std::string port = host.data() + (":" + std::to_string(ntohs(address.sin_port)));
        setenv("PMI_PORT", port.c_str(), 1);
        setenv("PMI_ID", "7", 1);
        thread_ = std::thread([this, &says] { serve(says); });
    }
    Launcher(const Launcher&) = delete;
    Launcher& operator=(const Launcher&) = delete;
    ~Launcher() {
        shutdown(listener_.get(), SHUT_RDWR);
        thread_.join();
        unsetenv("PMI_PORT");
        unsetenv("PMI_ID");
    }

  private:
    /// No memory is asked for here: what the rank asks for is counted meanwhile.
    void serve(const std::string& says) const {
        const UniqueFd guest(accept(listener_.get(), nullptr, nullptr));
        if (!guest) return;
        [[maybe_unused]] const ssize_t n =
            send(guest.get(), says.data(), says.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
        shutdown(guest.get(), SHUT_WR);
        std::array<char, 4096> heard{};
        while (read(guest.get(), heard.data(), heard.size()) > 0) {
        }
    }

    UniqueFd listener_;
    std::thread thread_;
};

}  // namespace

/// The first byte says how well the launcher begins: not at all, as far as the rank's number, or
/// as far as its limits.
void fuzz::client_port(std::string_view bytes) {
    if (bytes.empty()) return;
    std::string says;
    const char start = bytes.front();
    if ((start & 1) != 0) says += good_start;
    if ((start & 3) == 3) says += client_greeting;
    bytes.remove_prefix(1);
    says += bytes;
    const Launcher launcher(says);
    run_client(std::string(bytes.substr(0, 2000)));
}

}  // namespace launch
