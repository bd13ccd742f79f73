// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "core/bind/machine.hpp"

namespace launch {

/// A bound rank, as the ranks beside it see it.
struct RankBinding {
    CpuSet cpus;           ///< empty: it is not bound
    std::string locality;  ///< locality_text() of them

    bool operator==(const RankBinding&) const = default;
};

/// Which parts of the machine a rank uses that is bound to these CPUs:
/// "SK0:L30:L20:L10:CR0:HT0:NM0", of each kind that the machine has the numbers of those parts,
/// "CR2-3". Two ranks share what has the same number in both texts. It is PMIx's
/// PMIX_LOCALITY_STRING as libpmix writes it (openpmix/openpmix, src/hwloc/pmix_hwloc.c) and Open
/// MPI 4 and 5 read it (opal/mca/hwloc/base/hwloc_base_util.c). Empty where no CPU is.
std::string locality_text(const Machine& machine, const CpuSet& cpus);

}  // namespace launch
