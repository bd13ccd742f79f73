// SPDX-License-Identifier: MIT
#pragma once

#include "modex/detect/file_access.hpp"

namespace launch {

/// The files of this host.
class HostFiles : public FileAccess {
  public:
    std::unique_ptr<OpenFile> open(const std::string& path) override;
    bool is_executable(const std::string& path) override;
    std::vector<std::string> list(const std::string& folder) override;
    std::string real_path(const std::string& path) override;
};

}  // namespace launch
