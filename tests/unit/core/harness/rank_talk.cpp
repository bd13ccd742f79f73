// SPDX-License-Identifier: MIT
#include "tests/unit/core/harness/rank_talk.hpp"

#include <utility>

#include "core/async/task_group.hpp"

namespace launch {

awaitable<std::string> RankTalk::ask(std::string line) {
    if (pmi_.is_open() && !std::exchange(said_init_, true)) {
        const std::string answer = co_await exchange("cmd=init pmi_version=1 pmi_subversion=1");
    }
    if (!pmi_.is_open() || rank_.is_ending()) co_return std::string();
    co_return co_await exchange(std::move(line));
}

awaitable<void> RankTalk::finalize() {
    if (!said_init_ || rank_.is_ending()) co_return;
    const std::string answer = co_await exchange("cmd=finalize");
}

/// The question wakes the relay, and the answer the rank.
awaitable<std::string> RankTalk::exchange(std::string line) {
    if (rank_.cores != nullptr) co_await rank_.cores->wake();
    if (rank_.cores != nullptr && rank_.is_ending()) co_return std::string();
    waits_ = true;
    TaskGroup watching(executor_);
    watching.spawn(watch());
    const std::string answer = co_await pmi_.ask(std::move(line));
    waits_ = false;
    rank_.changed.notify();
    co_await watching.join();
    if (rank_.cores != nullptr) co_await rank_.cores->wake();
    co_return answer;
}

awaitable<void> RankTalk::watch() {
    while (waits_ && !rank_.is_ending())
        co_await rank_.changed.wait_until(Clock::now() + breath);
}

}  // namespace launch
