// SPDX-License-Identifier: MIT
// A hostile or broken launcher: whatever it says to a program that uses the client library.
#include <array>
#include <cstdint>
#include <cstdlib>
#include <fcntl.h>
#include <sys/socket.h>
#include <unistd.h>

#include "core/base/fd.hpp"
#include "modex/client/text.h"
#include "tests/fuzz/client_run.hpp"
#include "tests/fuzz/targets.hpp"

namespace launch {
namespace {

using fuzz::require;

/// All that the launcher will ever say is there when the rank begins; nothing is waited for.
class Launcher {
  public:
    explicit Launcher(const std::string& says) {
        std::array<int, 2> ends{-1, -1};
        require(socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, ends.data()) == 0, "sockets");
        launcher_ = UniqueFd(ends[0]);
        // What does not fit is as if the launcher had ended there.
        [[maybe_unused]] const ssize_t n = write(ends[0], says.data(), says.size());
        shutdown(ends[0], SHUT_WR);
        setenv("PMI_FD", std::to_string(ends[1]).c_str(), 1);
        setenv("PMI_RANK", "1", 1);
        setenv("PMI_SIZE", "3", 1);
    }

  private:
    UniqueFd launcher_;
};

void values_come_back(const std::string& value) {
    std::string text(modex_text_room(value.size()), '\0');
    const size_t length = modex_text_of_value(value.data(), value.size(), text.data());
    require(length < text.size(), "as long as was said");
    const size_t back = modex_value_of_text(text.data(), length, text.data());
    require(back == value.size() && text.compare(0, back, value) == 0, "the value that was put");
}

}  // namespace

/// The first byte says whether the launcher greets well; the rest is what it says then, and the
/// value.
void fuzz::client(std::string_view bytes) {
    if (bytes.empty()) return;
    const bool greets = (bytes.front() & 1) != 0;
    const std::string rest(bytes.substr(1));
    values_come_back(rest);
    {
        std::string any = rest;  // it writes over it
        const size_t length = modex_value_of_text(any.data(), any.size(), any.data());
        require(length == SIZE_MAX || length < rest.size(), "a value is shorter than its text");
    }
    const Launcher launcher(greets ? std::string(client_greeting) + rest : rest);
    run_client(rest.substr(0, 2000));
}

}  // namespace launch
