// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <sys/types.h>
#include <vector>

#include "core/async/task_group.hpp"
#include "core/link/door.hpp"
#include "core/wire/session_messages.hpp"

namespace launch {

/// The socket at which other launch processes of this user ask about a job that runs outside of
/// sessions. It is in the kernel's abstract name space (unix(7)), so nothing of it can be left
/// behind. `process`: the one that the user started.
std::string door_of_job(pid_t process);
/// The processes of this user's jobs that have a door on this machine.
std::vector<pid_t> jobs_with_doors();

/// The door of a job, which answers as a session with that one job: Hello, then its state, then
/// answers to requests.
class JobDoor {
  public:
    struct Job {
        std::function<SessionState()> state;
        std::function<awaitable<SessionAnswer>(SessionRequest)> answer;
    };
    JobDoor(any_io_executor executor, Job job);

    /// A job whose door cannot be opened runs all the same.
    void open(pid_t process);
    /// No request is taken any more. Call join() then.
    void close();
    awaitable<void> join();

  private:
    using Link = std::shared_ptr<FramedLink>;

    void let_in(Link link);
    awaitable<void> serve(Link link);

    Job job_;
    Door door_;
    std::vector<std::weak_ptr<FramedLink>> links_;
    TaskGroup tasks_;
};

}  // namespace launch
