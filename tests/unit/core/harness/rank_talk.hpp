// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "core/async/event.hpp"
#include "tests/unit/core/harness/cores.hpp"
#include "tests/unit/core/harness/played_pmix.hpp"
#include "tests/unit/core/harness/pmi_talk.hpp"

namespace launch {

/// How often a rank of a simulation looks whether its host lives.
inline constexpr std::chrono::milliseconds breath{50};

/// The conversation of a rank of a simulation with its relay, by PMI-1, or by PMIx where its
/// environment names a server of that. An answer may be long in coming, and the rank may have to
/// end meanwhile.
class RankTalk {
  public:
    /// The rank's.
    struct Side {
        uint32_t rank = 0;
        Event& changed;
        Cores* cores;  ///< of its host; null: to wake up takes no time
        std::function<bool()> is_ending;
    };
    RankTalk(any_io_executor executor, const std::vector<std::string>& env, PlayedPmix& pmix,
             Side rank);

    /// Publishes a card, which others have after the next fence.
    awaitable<void> put(std::string key, std::string value);
    /// False: it has not come through.
    awaitable<bool> barrier();
    /// Nothing: no answer has come. Empty: there is no such card.
    awaitable<std::optional<std::string>> get(std::string key);
    /// PMI: as a rank that has said who it is. The answer; empty: none has come.
    awaitable<std::string> ask(std::string line);
    /// A rank that has said nothing before finalizes nothing.
    awaitable<void> finalize();
    void stop_waiting() { pmi_.stop_waiting(); }
    void close() {
        pmi_.close();
        pmix_.close();
    }

    static bool is_done(const std::string& answer) { return PmiTalk::field(answer, "rc") == "0"; }

  private:
    awaitable<std::string> exchange(std::string line);
    awaitable<void> watch();
    awaitable<std::optional<std::string>> pmix_answer();

    any_io_executor executor_;
    PmiTalk pmi_;
    PmixTalk pmix_;
    const Side rank_;
    std::string kvs_;    ///< PMI's name of the job's cards
    std::string own_;    ///< PMIx: the cards since the last fence
    std::string cards_;  ///< ... and those of all that came with it
    bool said_init_ = false;
    bool waits_ = false;
};

}  // namespace launch
