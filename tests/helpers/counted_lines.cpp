// SPDX-License-Identifier: MIT
// Writes lines that tell what of its output is missing or came twice: "RANK NUMBER xxx", each a
// little longer than the one before, and at the end, which SIGTERM brings on, "RANK last COUNT".
#include <cerrno>
#include <chrono>
#include <csignal>
#include <string>
#include <thread>
#include <unistd.h>

#include "tests/helpers/options.hpp"

namespace {

volatile std::sig_atomic_t told_to_end = 0;

void write_all(const std::string& text) {
    for (size_t done = 0; done < text.size();) {
        const ssize_t n = write(1, text.data() + done, text.size() - done);
        if (n < 0 && errno != EINTR) _exit(74);
        if (n > 0) done += static_cast<size_t>(n);
    }
}

void rest(int microseconds) {
    if (microseconds > 0) std::this_thread::sleep_for(std::chrono::microseconds(microseconds));
}

}  // namespace

int main(int argc, char** argv) {
    // burst: so many lines in one write; pause: us between writes; go: waits for this file to exist
    // before the last line; linger: then up to so many ms, the ranks in any order; code: exits with
    // that and the rank's number.
    const Options options({{"lines", "1"},
                           {"burst", "1"},
                           {"pause", "0"},
                           {"longest", "100"},
                           {"go", ""},
                           {"linger", "0"},
                           {"code", "0"}},
                          argc, argv);
    std::signal(SIGTERM, [](int) { told_to_end = 1; });
    const char* const number = std::getenv("LAUNCH_RANK");
    if (number == nullptr) return 2;
    const std::string rank = number;
    const int burst = options.number("burst");
    int count = 0;
    while (count < options.number("lines") && told_to_end == 0) {
        std::string text;
        for (int i = 0; i < burst; i++, count++)
            text += rank + ' ' + std::to_string(count) + ' ' +
                    std::string(static_cast<size_t>(count % options.number("longest")), 'x') + '\n';
        write_all(text);
        rest(options.number("pause"));
    }
    const std::string& go = options.text("go");
    while (!go.empty() && told_to_end == 0 && access(go.c_str(), F_OK) != 0)
        rest(10'000);
    const int linger = options.number("linger");
    if (linger > 0 && told_to_end == 0) rest(1000 * (std::atoi(number) * 61 % linger));
    write_all(rank + " last " + std::to_string(count) + '\n');
    const int code = options.number("code");
    return code == 0 ? 0 : code + std::atoi(number);
}
