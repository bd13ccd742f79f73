// A hostile or broken launcher: whatever it says to a program that uses the client library.
#include <array>
#include <cstdint>
#include <cstdlib>
#include <fcntl.h>
#include <sys/socket.h>
#include <unistd.h>

#include "core/base/fd.hpp"
#include "modex/client/launch_modex.h"
#include "modex/client/text.h"
#include "tests/fuzz/allocation.hpp"
#include "tests/fuzz/targets.hpp"

namespace launch {
namespace {

using fuzz::require;

/// The handle, with its line; a value's text, as it grows; what is put.
constexpr size_t most_memory = 16u << 20;
constexpr std::string_view good_greeting =
    "cmd=response_to_init pmi_version=1 pmi_subversion=1 rc=0\n"
    "cmd=maxes kvsname_max=256 keylen_max=64 vallen_max=1024\n"
    "cmd=my_kvsname kvsname=launch-1\n";

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

void known_code(int code) {
    require(code <= LAUNCH_MODEX_OK && code >= LAUNCH_MODEX_ENOMEMORY, "a code of the list");
}

void run(launch_modex* job, const std::string& value) {
    require(launch_modex_rank(job) == 1 && launch_modex_size(job) == 3, "the rank is what it was");
    known_code(launch_modex_put(job, "card", value.data(), value.size()));
    known_code(launch_modex_fence(job));
    for (const int rank : {0, 2, 1, 0, 2}) {
        std::array<char, 300> buffer{};
        size_t length = 0;
        const int code = launch_modex_get(job, rank, "card", buffer.data(), buffer.size(), &length);
        known_code(code);
        require(code != LAUNCH_MODEX_OK || length <= buffer.size(), "it fits");
        require(code != LAUNCH_MODEX_ETOOSMALL || length > buffer.size(), "it does not fit");
        require(length <= LAUNCH_MODEX_VALUE_MAX, "no longer than can be put");
    }
    known_code(launch_modex_finalize(job));
}

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
    const Launcher launcher(greets ? std::string(good_greeting) + rest : rest);
    AllocationLimit limit(most_memory);
    launch_modex* job = nullptr;
    const int code = launch_modex_init(&job);
    known_code(code);
    require((code == LAUNCH_MODEX_OK) == (job != nullptr), "a handle where it succeeds");
    if (job != nullptr) run(job, rest.substr(0, 2000));
    limit.check();
}

}  // namespace launch
