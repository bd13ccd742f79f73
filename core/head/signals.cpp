#include "core/head/signals.hpp"

#include <csignal>

namespace launch {
namespace {

/// timeout(1) and shells signal a process and its group at once, and our guard passes on what it
/// gets: that is one request. A person takes longer to press a key twice.
constexpr std::chrono::milliseconds same_press{100};

/// As long as ranks may take to answer a signal that need not be meant to end them, such as "write
/// a checkpoint and leave". Later they fail of something else, and the others must not wait for
/// them for ever.
constexpr std::chrono::seconds time_to_answer{60};

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

void SignalAnswers::sent(int signal, Time now) {
    if (signal == SIGINT || signal == SIGQUIT) interrupt_ = signal;
    if (signal != SIGUSR1 && signal != SIGUSR2) return;
    request_ = signal;
    requested_ = now;
}

SignalAnswers::Time SignalAnswers::spared_until(const ExitStatus& failed) const {
    if (interrupt_ != 0) return Time::max();
    const bool answer = failed.kind == ExitStatus::Kind::exited ||
                        failed == ExitStatus{ExitStatus::Kind::signalled, request_};
    return request_ != 0 && answer ? requested_ + time_to_answer : Time::min();
}

}  // namespace launch
