// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace launch {

/// One of the processes that pbsdsh started has ended with another exit code than 0.
struct TaskEnd {
    size_t slot = 0;  ///< of the job, as the lines of PBS_NODEFILE count them from 0
    int code = 0;

    bool operator==(const TaskEnd&) const = default;
};

/// The line in which pbsdsh reports an exit code (both forms of numbers are in use):
///
///     pbsdsh: task 0x00000002 exit status 66       OpenPBS, PBS Pro
///     pbsdsh: task 2 exit status 66                Torque
std::optional<TaskEnd> read_task_end(std::string_view line);

/// Finds such lines in what comes piece by piece.
class TaskEnds {
  public:
    /// The tasks whose lines end in this piece.
    std::vector<TaskEnd> read(std::string_view piece);

  private:
    std::string begun_;  ///< a line without its end
};

}  // namespace launch
