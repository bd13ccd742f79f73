// SPDX-License-Identifier: MIT
#include "tests/unit/core/harness/rank_talk.hpp"

#include <utility>

#include "core/async/task_group.hpp"
#include "core/base/environment.hpp"

namespace launch {

RankTalk::RankTalk(any_io_executor executor, const std::vector<std::string>& env, PlayedPmix& pmix,
                   Side rank)
    : executor_(std::move(executor)),
      pmi_(executor_, env),
      pmix_(pmix, env, rank.rank, rank.changed),
      rank_(std::move(rank)),
      kvs_(env_value(env, "LAUNCH_JOB_ID")) {}

awaitable<void> RankTalk::put(std::string key, std::string value) {
    if (pmix_.is_open())
        own_ += key + "=" + value + "\n";
    else
        co_await ask("cmd=put kvsname=" + kvs_ + " key=" + key + " value=" + value);
}

awaitable<bool> RankTalk::barrier() {
    if (!pmix_.is_open()) {
        const std::string answer = co_await ask("cmd=barrier_in");
        co_return !answer.empty() && !rank_.is_ending();
    }
    if (rank_.is_ending()) co_return false;
    pmix_.fence(std::exchange(own_, {}));
    auto all = co_await pmix_answer();
    if (all) cards_ = "\n" + *std::move(all);
    co_return all.has_value();
}

awaitable<std::optional<std::string>> RankTalk::pmix_answer() {
    while (!rank_.is_ending()) {
        if (auto answer = pmix_.take_answer()) co_return answer;
        co_await rank_.changed.wait_until(Clock::now() + breath);
    }
    co_return std::nullopt;
}

awaitable<std::optional<std::string>> RankTalk::get(std::string key) {
    if (pmix_.is_open()) {
        const std::string begin = "\n" + key + "=";
        const size_t at = cards_.find(begin);
        if (at == std::string::npos) co_return std::string();
        const size_t from = at + begin.size();
        co_return cards_.substr(from, cards_.find('\n', from) - from);
    }
    const std::string answer = co_await ask("cmd=get kvsname=" + kvs_ + " key=" + key);
    if (answer.empty() || rank_.is_ending()) co_return std::nullopt;
    co_return PmiTalk::field(answer, "value");
}

awaitable<std::string> RankTalk::ask(std::string line) {
    if (pmi_.is_open() && !std::exchange(said_init_, true)) {
        const std::string answer = co_await exchange("cmd=init pmi_version=1 pmi_subversion=1");
    }
    if (!pmi_.is_open() || rank_.is_ending()) co_return std::string();
    co_return co_await exchange(std::move(line));
}

awaitable<void> RankTalk::finalize() {
    if (rank_.is_ending()) co_return;
    if (pmix_.finalize()) co_await pmix_answer();
    if (!said_init_) co_return;
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
