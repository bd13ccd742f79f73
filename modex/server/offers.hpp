#pragma once

#include <map>
#include <string>
#include <vector>

#include "core/job/job_spec.hpp"
#include "modex/detect/pmi_needs.hpp"

namespace launch {

/// What the ranks of each program of a job are offered on this host. A program's files are looked
/// at once, when its first rank is about to start.
class Offers {
  public:
    explicit Offers(PmiChoice choice) : choice_(choice) {}

    struct Offer {
        bool pmi = false;
        bool pmix = false;
        PmiNeeds needs;  ///< what the program's files say
    };
    const Offer& of(size_t index, const Program& program, const std::vector<std::string>& env,
                    const std::string& wdir);

    /// Of a program that was asked for by of(), by its index in the job.
    const PmiNeeds& needs_of(size_t program) const { return offers_.at(program).needs; }

  private:
    Offer decide(const Program& program, const std::vector<std::string>& env,
                 const std::string& wdir) const;

    PmiChoice choice_;
    std::map<size_t, Offer> offers_;
};

}  // namespace launch
