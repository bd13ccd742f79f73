// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <functional>
#include <map>
#include <optional>
#include <ostream>
#include <set>
#include <string>
#include <vector>

#include "core/async/event.hpp"
#include "core/run/rank.hpp"
#include "core/topology.hpp"
#include "tests/unit/core/harness/cores.hpp"
#include "tests/unit/core/harness/played_pmix.hpp"
#include "tests/unit/core/harness/played_user.hpp"

namespace launch {

/// A rank of a job, or one that a rank has spawned: "3" or "1.3", and with the number of its job,
/// where there are several, "2.3" or "2.1.3".
struct RankName {
    uint32_t job = 0;    ///< 0: the only one
    uint32_t space = 0;  ///< 0: the job itself
    uint32_t rank = 0;

    RankName(uint32_t rank_of_job) : rank(rank_of_job) {}
    RankName(uint32_t its_space, uint32_t its_rank) : space(its_space), rank(its_rank) {}
    RankName(uint32_t its_job, uint32_t its_space, uint32_t its_rank)
        : job(its_job), space(its_space), rank(its_rank) {}

    auto operator<=>(const RankName&) const = default;
    std::string text() const {
        std::string text;
        for (const uint32_t number : {job, space})
            if (number > 0) text += std::to_string(number) + ".";
        return text + std::to_string(rank);
    }
    friend std::ostream& operator<<(std::ostream& out, const RankName& name) {
        return out << name.text();
    }
};

/// A rank of a simulation follows it from its start to its end.
struct RankScript {
    struct Step {
        enum class Kind : uint8_t {
            rest,     ///< for `count` milliseconds
            write,    ///< `count` lines
            read,     ///< until `count` bytes of input have come in all, or their end
            spawn,    ///< `count` processes
            fence,    ///< puts a card, fences, and gets the card of the rank `count` places on
            put,      ///< a card of `count` bytes, which nobody gets
            barrier,  ///< a fence without a card of its own
            grow,     ///< asks for host number `count`
            release,  ///< of the host of that number
        };
        Kind kind{};
        uint32_t count = 0;
    };
    std::vector<Step> steps;
    ExitStatus end;  ///< after the steps
    /// After a signal that is to end it; nothing: it goes on as if none had come.
    std::optional<milliseconds> ends_after = milliseconds{0};
    bool outlives_kill = false;  ///< it waits in the kernel
    int not_started = 0;         ///< errno of its start; 0: it starts
    bool leaves_rudely = false;  ///< without finalize, though it has fenced
};

/// The history of a rank, as a bystander sees it.
struct RankLife {
    int starts = 0;
    NodeIndex node = 0;            ///< the number of the host where it has started last
    uint32_t lines = 0;            ///< written
    std::string input;             ///< read
    bool has_all_input = false;    ///< it has read their end
    uint32_t fences = 0;           ///< that it has come through
    uint32_t spawned = 0;          ///< processes, as the answers to it say
    std::vector<NodeIndex> grown;  ///< hosts that have joined, as the answers to it say
    std::string wrong_card;        ///< what it got instead of another's card; empty: all were right
    bool lacks_cards = false;      ///< of one that had none for it
    std::string wrong_file;        ///< what it found instead of the staged file; empty: that
    bool runs = false;
    Clock::time_point began_at;  ///< the last time
    Clock::time_point ended_at;
    std::vector<TimedSignal> signals;
    std::vector<Clock::time_point> done_at;  ///< of each step of the script, when it was
    std::optional<ExitStatus> status;        ///< of its process
};

/// The ranks of the jobs of a simulation.
struct RankBook {
    std::set<NodeIndex> released;  ///< hosts whose release was asked for
    /// A rank without one ends well at once.
    std::map<RankName, RankScript> scripts;
    std::map<RankName, RankLife> lives;
    /// The content of the file "data" that each host is to have before ranks start there.
    std::optional<std::string> staged;
    PlayedPmix pmix;  ///< for jobs whose ranks speak PMIx
    /// Makes the scripts of processes that ranks spawn.
    std::function<RankScript()> of_spawned = [] { return RankScript(); };

    bool some_run() const {
        return std::any_of(lives.begin(), lives.end(),
                           [](const auto& life) { return life.second.runs; });
    }
    static std::string line(const RankName& rank, uint32_t number) {
        return rank.text() + " " + std::to_string(number) + "\n";
    }
};

/// The relay that runs a rank.
struct RankHost {
    NodeIndex node = 0;
    std::function<bool()> lives;  ///< it has not been killed, with all that runs there
    Cores* cores = nullptr;       ///< null: what is done there takes no time
};

/// A rank without a process.
std::unique_ptr<Rank> make_scripted_rank(const RankSurroundings& around, Rank::Settings settings,
                                         RankBook& book, RankHost host);

}  // namespace launch
