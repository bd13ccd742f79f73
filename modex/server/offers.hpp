// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <string>
#include <vector>

#include "core/job/job_spec.hpp"
#include "core/process/spawn.hpp"
#include "modex/detect/pmi_needs.hpp"

namespace launch {

/// The protocols that the ranks of each program of a job are offered on this host. A program's
/// files are read once, before its first rank is started.
class Offers {
  public:
    explicit Offers(PmiChoice choice) : choice_(choice) {}

    struct Offer {
        bool pmi = false;
        bool pmix = false;
        PmiNeeds needs;  ///< what the program's files say
    };
    /// The needs of a program, according to its files. Blocks, on any thread.
    static PmiNeeds look_at(SpawnRequest request);
    void put(size_t program, PmiNeeds needs);

    /// The offer for a known program, by its index in the job.
    const Offer& of(size_t program) const { return offers_.at(program); }

  private:
    PmiChoice choice_;
    std::map<size_t, Offer> offers_;
};

}  // namespace launch
