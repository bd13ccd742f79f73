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
        std::string library;  ///< the MPI library that the program links, where that was looked for
        std::string program;  ///< the file that links it
    };
    const Offer& of(const Program& program, const std::vector<std::string>& env,
                    const std::string& wdir);

  private:
    Offer decide(const Program& program, const std::vector<std::string>& env,
                 const std::string& wdir) const;

    PmiChoice choice_;
    std::map<const Program*, Offer> offers_;
};

}  // namespace launch
