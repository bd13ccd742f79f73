// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "core/base/fd.hpp"

namespace launch {

/// A file in memory for one run of OpenSSH's client to write the keys to that it accepts. Into the
/// user's own file it writes a line in several pieces: what many clients write there at once would
/// be torn.
class NewKeysFile {
  public:
    NewKeysFile();
    /// False: the kernel gives none.
    explicit operator bool() const { return static_cast<bool>(fd_); }
    /// Its name for another process of this user, as long as this object lives.
    std::string path() const;
    std::string text() const;

  private:
    UniqueFd fd_;
};

}  // namespace launch
