// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <string>
#include <vector>

#include "cmd/doctor/finding.hpp"

namespace launch {

/// Collects findings: what is so of several hosts in the same words becomes one.
class Findings {
  public:
    void add(Severity severity, Check check, const std::string& host, std::string what,
             std::string fix = {});
    void add_fault(Check check, const std::string& host, ErrorKind kind, std::string what,
                   std::string fix = {});
    /// Records that the check was made; `what` is printed if it found nothing worse than notes.
    void done(Check check, std::string what);

    std::vector<Finding> take();

  private:
    void add(Finding finding, const std::string& host);

    std::vector<Finding> findings_;
    std::array<std::string, check_names.size()> done_;
};

}  // namespace launch
