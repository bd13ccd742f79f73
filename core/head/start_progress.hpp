// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>

#include "core/async/event.hpp"
#include "core/job/job_spec.hpp"

namespace launch {

/// Progress of the start of hosts, as shown to a person who waits for a job or a session.

/// How long something takes, and how long it may.
struct TimeTaken {
    milliseconds passed{};
    milliseconds limit{};  ///< 0: none
};
/// In whole seconds: "12 s of 1 min 0 s", "12 s".
std::string text_of(TimeTaken time);

/// How many hosts are up of how many, and who is waited for (see waiting_hosts()).
struct StartingHosts {
    size_t up = 0;
    size_t all = 0;
    std::string waiting;
};
/// "starting: 14 of 16 hosts up, waiting for n7 (hello), 3 s of 52 s". The time stands last,
/// because a narrow terminal has no room for all. Without `time` the line has none.
std::string starting_line(const StartingHosts& hosts, std::optional<TimeTaken> time);

/// The one note of a long start where nobody sees a line that is redrawn: when it is due. A value
/// without I/O: told the time, and when launch has last said anything.
class LongStart {
  public:
    /// Half of the time that a host has to answer, as it is usually: its user can still look why
    /// it does not, before it is given up.
    static constexpr milliseconds silence{5000};

    explicit LongStart(Clock::time_point began) : due_(began + silence) {}
    /// Once, when launch has said nothing for so long.
    bool is_due(Clock::time_point now, Clock::time_point said_at);

  private:
    Clock::time_point due_;
};

/// The end of that note, after the time that the start has taken: the time limits of the start.
std::string start_limits(const TreePolicies& policies);
/// "after 5 s"
std::string after(milliseconds passed);

}  // namespace launch
