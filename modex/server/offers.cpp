#include "modex/server/offers.hpp"

#include "modex/detect/host_files.hpp"

namespace launch {

const Offers::Offer& Offers::of(size_t index, const Program& program,
                                const std::vector<std::string>& env, const std::string& wdir) {
    const auto known = offers_.find(index);
    if (known != offers_.end()) return known->second;
    return offers_.emplace(index, decide(program, env, wdir)).first->second;
}

Offers::Offer Offers::decide(const Program& program, const std::vector<std::string>& env,
                             const std::string& wdir) const {
    HostFiles files;
    PmiNeeds needs = launch::needs_of(program.argv, env, wdir, files);
    const bool automatic = choice_ == PmiChoice::automatic;
    const bool pmi = automatic ? needs.pmi : names_pmi(choice_);
    const bool pmix = automatic ? needs.pmix : choice_ == PmiChoice::pmix;
    return {pmi, pmix, std::move(needs)};
}

}  // namespace launch
