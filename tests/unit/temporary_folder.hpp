// SPDX-License-Identifier: MIT
#pragma once

#include <cstdlib>
#include <optional>
#include <string>

namespace launch {

/// A host whose login sets TMPDIR to this.
class TemporaryFolder {
  public:
    explicit TemporaryFolder(const std::string& path) {
        if (const char* before = std::getenv("TMPDIR")) before_ = before;
        setenv("TMPDIR", path.c_str(), 1);
    }
    ~TemporaryFolder() {
        if (before_) setenv("TMPDIR", before_->c_str(), 1);
        if (!before_) unsetenv("TMPDIR");
    }
    TemporaryFolder(const TemporaryFolder&) = delete;
    TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  private:
    std::optional<std::string> before_;
};

}  // namespace launch
