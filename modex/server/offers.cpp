// SPDX-License-Identifier: MIT
#include "modex/server/offers.hpp"

#include <utility>

#include "modex/detect/host_files.hpp"

namespace launch {

PmiNeeds Offers::look_at(SpawnRequest request) {
    HostFiles files;
    return needs_of(request.argv, std::move(request.env), std::move(request.wdir), files);
}

void Offers::put(size_t program, PmiNeeds needs) {
    const bool automatic = choice_ == PmiChoice::automatic;
    const bool pmi = automatic ? needs.pmi : names_pmi(choice_);
    const bool pmix = automatic ? needs.pmix : choice_ == PmiChoice::pmix;
    offers_.insert_or_assign(program, Offer{pmi, pmix, std::move(needs)});
}

}  // namespace launch
