// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/base/error.hpp"

namespace launch {

/// Where this user's sessions on this machine are found: each has a folder that only he may enter
/// (session_name.hpp), with a socket in it when its hosts are up. It is the same one from every
/// console, whatever the environment: a login's own folder (XDG_RUNTIME_DIR) may go while a session
/// runs.
class SessionPlace {
  public:
    /// `named`: where folders of sessions are (LAUNCH_SESSION_DIR); empty: in /tmp.
    explicit SessionPlace(const std::string& named);

    std::string folder_of(std::string_view name) const;
    std::string socket_of(std::string_view name) const;
    /// The names of all sessions of this user, sorted. A killed session may have left its name.
    std::vector<std::string> names() const;
    /// This user made it, and nobody else may enter it.
    bool is_safe(std::string_view name) const;

  private:
    std::string prefix_;
};

/// Letters, digits and _ . - after the first: what is safe in a file's name. Up to 32 of them.
bool is_session_name(std::string_view name);

}  // namespace launch
