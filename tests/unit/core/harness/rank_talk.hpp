// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "core/async/event.hpp"
#include "tests/unit/core/harness/cores.hpp"
#include "tests/unit/core/harness/pmi_talk.hpp"

namespace launch {

/// How often a rank of a simulation looks whether its host lives.
inline constexpr std::chrono::milliseconds breath{50};

/// The conversation of a rank of a simulation with its relay. An answer may be long in coming, and
/// the rank may have to end meanwhile.
class RankTalk {
  public:
    /// The rank's.
    struct Side {
        Event& changed;
        Cores* cores;  ///< of its host; null: to wake up takes no time
        std::function<bool()> is_ending;
    };
    RankTalk(any_io_executor executor, const std::vector<std::string>& env, Side rank)
        : executor_(std::move(executor)), pmi_(executor_, env), rank_(std::move(rank)) {}

    /// As a rank that has said who it is. The answer; empty: none has come.
    awaitable<std::string> ask(std::string line);
    /// Sends PMI's finalize. A rank that has sent no init sends nothing.
    awaitable<void> finalize();
    void stop_waiting() { pmi_.stop_waiting(); }
    void close() { pmi_.close(); }

    static std::string field(const std::string& answer, const std::string& name) {
        return PmiTalk::field(answer, name);
    }
    static bool is_done(const std::string& answer) { return field(answer, "rc") == "0"; }

  private:
    awaitable<std::string> exchange(std::string line);
    awaitable<void> watch();

    any_io_executor executor_;
    PmiTalk pmi_;
    const Side rank_;
    bool said_init_ = false;
    bool waits_ = false;
};

}  // namespace launch
