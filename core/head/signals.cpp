// SPDX-License-Identifier: MIT
#include "core/head/signals.hpp"

#include <algorithm>
#include <csignal>

#include "core/base/clock.hpp"
#include "core/process/status_signal.hpp"

namespace launch {
namespace {

/// timeout(1) and shells signal a process and its group at once, and our guard passes on what it
/// gets: that is one request. A person takes longer to press a key twice.
constexpr std::chrono::milliseconds same_press{100};

/// As long as ranks may take to answer a signal that need not be meant to end them, such as "write
/// a checkpoint and leave", or "show all threads". Later they fail of something else, and the
/// others must not wait for them for ever.
constexpr std::chrono::seconds time_to_answer{60};

/// The time that ranks may take to end after ^C. Some finish a step first, and may then write all
/// memory of their hosts; the user can press ^C again instead of waiting. But a job that ignores ^C
/// must end when its ranks fail later.
constexpr std::chrono::minutes time_to_end{30};

}  // namespace

SignalPolicy::Action SignalPolicy::decide(int signal, Clock::time_point now) {
    const bool repeated = signal == last_ && now - last_at_ < same_press;
    last_ = signal;
    last_at_ = now;
    if (repeated) return Action::ignore;
    if (signal == status_signal()) return Action::tell;
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
    if (signal == SIGINT) interrupted_until_ = now + time_to_end;
    if (signal != SIGUSR1 && signal != SIGUSR2 && signal != SIGQUIT) return;
    request_ = signal;
    requested_ = now;
}

SignalAnswers::Time SignalAnswers::spared_until(const ExitStatus& failed) const {
    const bool answer = failed.kind == ExitStatus::Kind::exited ||
                        failed == ExitStatus{ExitStatus::Kind::signalled, request_};
    const Time answered = request_ != 0 && answer ? requested_ + time_to_answer : Time::min();
    return std::max(answered, interrupted_until_);
}

}  // namespace launch
