// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace launch {

/// Something that has happened to a job, for those of its ranks that want to know.
struct JobEvent {
    enum class Kind : uint8_t {
        hosts_joined,      ///< `name`: a host list
        hosts_left,        ///< the same; they were released, or lost
        processes_joined,  ///< `name`: the id of their job
        processes_left,    ///< all of that job have ended
        process_failed,    ///< which `rank` is, of that job
    };
    Kind kind{};
    std::string name;
    uint32_t count = 0;  ///< of hosts or processes
    std::optional<uint32_t> rank;
};

/// The last events of a job, numbered from 1: who asks says up to which it knows them, so that
/// nobody misses one, and notices where they have been more than are kept. Sans I/O.
class JobEvents {
  public:
    static constexpr size_t most = 1000;
    /// A host list that a reader need take in one piece; more hosts are several events.
    static constexpr size_t longest_name = 1000;

    void tell(JobEvent event);
    /// A host that has left cannot leave again before it has joined again.
    void tell_hosts(bool joined, std::vector<std::string> names);
    /// The first event with a higher number, as text for the answer to a rank: "number=3
    /// kind=hosts_joined count=2 rank=-1 name=node[1-2]". Nothing if no such event has happened
    /// yet.
    std::optional<std::string> after(uint64_t number) const;

  private:
    void tell_split(JobEvent::Kind kind, const std::vector<std::string>& names);

    std::deque<JobEvent> events_;
    uint64_t dropped_ = 0;        ///< the number of the last one before those
    std::set<std::string> left_;  ///< hosts
};

}  // namespace launch
