// SPDX-License-Identifier: MIT
#pragma once

#include "cmd/doctor/judge.hpp"

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

// The parts of judge(), each a check. Some host has facts.

/// judge_agreement.cpp: whether hosts know each other's names, and alike.
void judge_names(const Examination& seen, Findings& found);
/// Whether their clocks agree with that of this machine, as far as the time that a message takes
/// lets one know.
void judge_clocks(const Examination& seen, Findings& found);
/// Whether programs that were built here start there.
void judge_glibc(const Examination& seen, Findings& found);
/// Whether hosts have the same MPI and PMIx libraries.
void judge_libraries(const Examination& seen, Findings& found);

/// judge_resources.cpp: whether processes may open, lock and start what ranks need.
void judge_limits(const Examination& seen, Findings& found);
/// Whether launch, and programs, can put files where they do, and run them.
void judge_disks(const Examination& seen, Findings& found);
/// Whether the folder is there where ranks start by default.
void judge_wdir(const Examination& seen, Findings& found);

}  // namespace launch
