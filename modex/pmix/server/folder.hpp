// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "core/base/error.hpp"

namespace launch {

/// A folder that only its owner may enter, removed with all that is in it.
class PrivateFolder {
  public:
    /// An Error also when it exists: it may be somebody else's.
    static Result<PrivateFolder> make(const std::string& path);

    PrivateFolder(PrivateFolder&& other) noexcept : path_(std::move(other.path_)) {
        other.path_.clear();
    }
    PrivateFolder& operator=(PrivateFolder&&) = delete;
    ~PrivateFolder();

    const std::string& path() const { return path_; }

  private:
    explicit PrivateFolder(std::string path) : path_(std::move(path)) {}

    std::string path_;
};

}  // namespace launch
