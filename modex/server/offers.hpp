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
    const Offer& of(const Program& program, const std::vector<std::string>& env,
                    const std::string& wdir);

    /// Of a program that was asked for by of().
    const PmiNeeds& needs_of(const Program& program) const { return offers_.at(&program).needs; }

  private:
    Offer decide(const Program& program, const std::vector<std::string>& env,
                 const std::string& wdir) const;

    PmiChoice choice_;
    std::map<const Program*, Offer> offers_;
};

}  // namespace launch
