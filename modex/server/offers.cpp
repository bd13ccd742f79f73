#include "modex/server/offers.hpp"

#include "modex/detect/host_files.hpp"

namespace launch {

const Offers::Offer& Offers::of(const Program& program, const std::vector<std::string>& env,
                                const std::string& wdir) {
    const auto known = offers_.find(&program);
    if (known != offers_.end()) return known->second;
    return offers_.emplace(&program, decide(program, env, wdir)).first->second;
}

Offers::Offer Offers::decide(const Program& program, const std::vector<std::string>& env,
                             const std::string& wdir) const {
    switch (choice_) {
        case PmiChoice::none: return {};
        case PmiChoice::pmi1:
        case PmiChoice::pmi2: return {true, false, {}, {}};
        case PmiChoice::pmix: return {false, true, {}, {}};
        case PmiChoice::automatic: break;
    }
    HostFiles files;
    PmiNeeds needs = needs_of(program.argv, env, wdir, files);
    return {needs.pmi, needs.pmix, std::move(needs.library), std::move(needs.program)};
}

}  // namespace launch
