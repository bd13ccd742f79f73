// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace launch {

/// The slots of a job of PBS, which are the lines of PBS_NODEFILE: the name of a host in each.
class JobSlots {
  public:
    /// Nothing is known of them.
    JobSlots() = default;
    /// `node_file`: what is in it.
    explicit JobSlots(const std::string& node_file);
    /// The slots of the job in which this process runs.
    static JobSlots of_this_job();

    /// Counted from 0; empty: not known.
    std::string host_of(size_t slot) const;
    /// By this name, or one with more or less of a domain; also where no slot is known.
    bool may_have(const std::string& host) const;

  private:
    std::vector<std::string> slots_;
    std::set<std::string, std::less<>> hosts_;
};

}  // namespace launch
