// SPDX-License-Identifier: MIT
#include "core/process/process_group.hpp"

#include <algorithm>
#include <csignal>
#include <unistd.h>
#include <vector>

#include "core/process/descendants.hpp"

namespace launch {
namespace {

/// No machine starts so many processes in this time that it comes back to the same number.
constexpr std::chrono::seconds numbers_last{1};

}  // namespace

void ProcessGroup::leader_reaped() {
    leader_reaped_ = true;
    seen_alive_ = Clock::now();
    alive();
}

bool ProcessGroup::may_be_anothers() const {
    if (!leader_reaped_ || Clock::now() - seen_alive_ < numbers_last) return false;
    const auto ours = descendants_of(getpid());
    return std::none_of(ours.begin(), ours.end(),
                        [this](pid_t pid) { return getpgid(pid) == leader_; });
}

bool ProcessGroup::alive() {
    if (leader_ == 0) return false;
    const bool alive = kill(-leader_, 0) == 0 && !may_be_anothers();
    if (alive) seen_alive_ = Clock::now();
    if (!alive && leader_reaped_) leader_ = 0;
    return alive;
}

void ProcessGroup::signal(int number) {
    if (alive()) kill(-leader_, number);
}

void ProcessGroup::kill_all() {
    // A reaped leader's process id may belong to an unrelated process. Processes that were below
    // the leader are children of this process by now, as all orphans are.
    std::vector<pid_t> below;
    if (leader_ != 0 && !leader_reaped_) below = descendants_of(leader_);
    signal(SIGKILL);
    for (const pid_t pid : below)
        kill(pid, SIGKILL);
}

}  // namespace launch
