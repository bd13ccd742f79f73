// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/async/event.hpp"
#include "core/run/rank.hpp"

namespace launch {

/// A rank of a simulation follows it from its start to its end.
struct RankScript {
    struct Step {
        enum class Kind : uint8_t {
            rest,   ///< for `count` milliseconds
            write,  ///< `count` lines
            read,   ///< until `count` bytes of input have come in all, or their end
            fence,  ///< puts a card, fences, and gets the card of the rank `count` places on
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
    uint32_t lines = 0;          ///< written
    std::string input;           ///< read
    bool has_all_input = false;  ///< it has read their end
    uint32_t fences = 0;         ///< that it has come through
    std::string wrong_card;      ///< what it got instead of another's card; empty: all were right
    bool lacks_cards = false;    ///< of one that had none for it
    bool runs = false;
    struct Signal {
        int number;
        Clock::time_point at;
    };
    std::vector<Signal> signals;
    std::optional<ExitStatus> status;  ///< of its process
};

/// The ranks of the jobs of a simulation.
struct RankBook {
    /// A rank without one ends well at once.
    std::map<uint32_t, RankScript> scripts;
    std::map<uint32_t, RankLife> lives;

    static std::string line(uint32_t rank, uint32_t number) {
        return std::to_string(rank) + " " + std::to_string(number) + "\n";
    }
};

/// A rank without a process. `host_lives`: what runs it has not been killed, with all that runs
/// there.
std::unique_ptr<Rank> make_scripted_rank(const RankSurroundings& around, Rank::Settings settings,
                                         RankBook& book, std::function<bool()> host_lives);

}  // namespace launch
