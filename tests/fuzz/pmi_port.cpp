// SPDX-License-Identifier: MIT
// Who comes to the port for ranks: some that say anything, cut anywhere, and a genuine one among
// them. The input is a list of steps: who speaks, and what.
#include "modex/server/pmi_port.hpp"

#include <array>
#include <charconv>
#include <chrono>
#include <poll.h>
#include <sys/socket.h>
#include <vector>

#include "core/base/codec.hpp"
#include "modex/server/loopback.hpp"
#include "tests/fuzz/targets.hpp"

namespace launch {
namespace {

using fuzz::require;

constexpr uint32_t rank = 7;
constexpr size_t strangers = 3;
constexpr int patience = 10'000;  ///< in ms
/// A first line and what follows it in the same read.
constexpr size_t most_said = 2048;

/// What comes back is not read: with a reset instead of a goodbye no port of this machine waits for
/// a minute after each run.
void leave_at_once(int socket) {
    const linger now{1, 0};
    setsockopt(socket, SOL_SOCKET, SO_LINGER, &now, sizeof now);
}

class Port : private PmiPortHandler {
  public:
    Port() {
        require(bool(port_.open()), "a port");
        id_ = port_.invite(rank);
        const std::string address = port_.address();
        const size_t colon = address.find(':') + 1;
        std::from_chars(address.data() + colon, address.data() + address.size(), number_);
    }

    void say(size_t who, std::string_view text) {
        auto& socket = guests_.at(who);
        if (!socket) {
            auto connected = connect_to_loopback(number_);
            require(bool(connected), "a connection");
            socket = std::move(*connected);
            leave_at_once(socket.get());
            pollfd ready{socket.get(), POLLOUT, 0};
            require(poll(&ready, 1, patience) == 1, "a connection in time");
            run();
        }
        [[maybe_unused]] const ssize_t n =
            send(socket.get(), text.data(), text.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
        run();
    }
    void hang_up(size_t who) {
        guests_.at(who).reset();
        run();
    }
    std::string hello() const { return "cmd=initack pmiid=" + std::to_string(id_) + "\n"; }
    /// The kernel may take its time on a busy machine.
    void wait_for_rank() {
        for (int i = 0; i < patience / 10 && came_ == 0; ++i) {
            io_.restart();
            io_.run_for(std::chrono::milliseconds(10));
        }
    }
    void end() {
        guests_ = {};
        std::exception_ptr failed;
        asio::co_spawn(io_, port_.close(), [&](std::exception_ptr failure) { failed = failure; });
        io_.restart();
        io_.run();
        require(failed == nullptr, "no exception");
    }
    size_t came() const { return came_; }

  private:
    bool came(PortArrival arrival) override {
        require(arrival.rank == rank && arrival.id == id_, "the rank that was expected");
        require(arrival.said.size() <= most_said, "no more than was read");
        require(arrival.said.find(std::to_string(id_)) != std::string::npos, "by its id");
        arrivals_.push_back(std::move(arrival));
        leave_at_once(arrivals_.back().socket.get());
        ++came_;
        return true;
    }
    void run() {
        io_.restart();
        io_.poll();
    }

    asio::io_context io_{1};
    PmiPort port_{io_.get_executor(), *this};
    std::array<UniqueFd, strangers + 1> guests_;
    std::vector<PortArrival> arrivals_;
    uint16_t number_ = 0;
    uint32_t id_ = 0;
    size_t came_ = 0;
};

}  // namespace

void fuzz::pmi_port(std::string_view bytes) {
    Port port;
    Decoder in(bytes);
    for (int steps = 0; in.ok() && !in.done() && steps < 12; ++steps) {
        const uint64_t who = in.number();
        const std::string_view text = in.text();
        if (!in.ok()) break;
        if (who % 8 < strangers) port.say(who % 8, text.substr(0, most_said / 2));
        if (who % 8 >= 5) port.hang_up(who % 8 - 5);
    }
    require(port.came() == 0, "no stranger guesses the id");
    port.say(strangers, port.hello());
    port.wait_for_rank();
    require(port.came() == 1, "who has it comes in");
    port.end();
}

}  // namespace launch
