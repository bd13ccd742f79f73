// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <optional>
#include <string>

#include "core/base/error.hpp"
#include "core/base/fd.hpp"
#include "core/process/removal_list.hpp"
#include "core/session/session_place.hpp"

namespace launch {

/// The name of a session, taken before its hosts are started and had until it ends: its folder,
/// made and locked. The kernel lets go of the lock with the last process that has it, so what a
/// session left that was killed is known from one that is starting. This value, or its copy in the
/// last process, removes the folder.
class SessionName {
  public:
    /// Takes the name. If several callers try at once, exactly one gets it. The remains of a dead
    /// session are replaced. Nothing: another process has the name, even after `wait`, which is
    /// needed because a search for dead sessions holds each name for a moment. Blocks. An Error:
    /// the folder cannot be made, or is not safe.
    static Result<std::optional<SessionName>> take(const SessionPlace& place, std::string name,
                                                   std::chrono::milliseconds wait);
    SessionName(SessionName&& other) noexcept;
    SessionName& operator=(SessionName&&) = delete;
    ~SessionName();

    const std::string& text() const { return name_; }
    const std::string& folder() const { return folder_; }
    const std::string& socket() const { return socket_; }
    /// Which folder it is: another session may have one of that name later.
    FileStamp stamp() const { return stamp_; }
    /// A child that was forked has it from now on, and removes it.
    void leave_to_child() { lock_.reset(); }

  private:
    SessionName(const SessionPlace& place, std::string name, UniqueFd lock, FileStamp stamp);
    static Result<std::optional<SessionName>> try_to_take(const SessionPlace& place,
                                                          const std::string& name);

    std::string name_;
    std::string folder_;
    std::string socket_;
    UniqueFd lock_;  ///< invalid: another process, or value, has the name
    FileStamp stamp_;
};

}  // namespace launch
