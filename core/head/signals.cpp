#include "core/head/signals.hpp"

#include <csignal>

namespace launch {
namespace {

/// timeout(1) and shells signal a process and its group at once, and our guard passes on what it
/// gets: that is one request. A person takes longer to press a key twice.
constexpr std::chrono::milliseconds same_press{100};

}  // namespace

SignalPolicy::Action SignalPolicy::decide(int signal, std::chrono::steady_clock::time_point now) {
    const bool repeated = signal == last_ && now - last_at_ < same_press;
    last_ = signal;
    last_at_ = now;
    if (repeated) return Action::ignore;
    switch (signal) {
        case SIGINT:
            if (interrupted_) return Action::kill;
            interrupted_ = true;
            return Action::forward;
        case SIGTERM:
        case SIGHUP: return Action::forward_and_end;
        case SIGTSTP: return Action::stop;
        default: return Action::forward;
    }
}

}  // namespace launch
