// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "core/base/error.hpp"
#include "core/process/removal_list.hpp"

namespace launch {

/// A secret in a file that other hosts see and that only this user may read, under a name that
/// nobody guesses. Gone with this value; where this process is killed, its guard removes the file,
/// or the user's next launch here does.
class CallFile {
  public:
    /// `folder`: all hosts see it. `to_remove`: null where there is no guard.
    static Result<CallFile> make(const std::string& folder, std::string_view text,
                                 RemovalList* to_remove);
    CallFile(CallFile&& other) noexcept;
    CallFile& operator=(CallFile&&) = delete;
    ~CallFile();

    const std::string& path() const { return path_; }

  private:
    CallFile(std::string path, RemovalList* to_remove);

    std::string path_;  ///< empty: it is another value's
    std::optional<RemovalsOf> to_remove_;
};

/// The prefix of every such name.
inline constexpr std::string_view call_file_prefix = ".launch-call-";

/// The user's home folder, which the hosts of a cluster mostly share.
std::string usual_call_folder();

}  // namespace launch
