// SPDX-License-Identifier: MIT
#include "cmd/options/foreign_places.hpp"

#include <algorithm>
#include <array>

#include "cmd/options/table.hpp"

namespace launch {
namespace {

struct ForeignPlaces {
    std::string_view names;  ///< between blanks
    std::string_view advice;
    bool numbered = false;  ///< the name of one device may begin with it: gpu0, enp3s0
};

// Words of Hydra (src/pm/hydra/lib/tools/topo in MPICH 4.0 and 4.1), of Open MPI 4 (mpirun(1)) and
// of PRRTE, which is Open MPI 5's (help-mapby.txt, help-rankby.txt, help-bindto.txt).
constexpr auto foreign_places = std::to_array<ForeignPlaces>({
    {"slot", "a slot has no CPUs of its own: use core, hwthread or socket"},
    {"cpu-list", "use user:LIST, or start launch by taskset(1), to whose CPUs it keeps"},
    {"pe-list", "use --bind user:LIST"},
    {"seq sequential",
     "ranks go to hosts in the order of -hosts or -f, to each as many as its slots: a:1,b:2"},
    {"dist distance mindist",
     "no distance to a device is known: use numa, and --gpus-per-rank N for GPUs that are near"},
    {"rankfile",
     "-map-by and the order of the hosts say which rank goes where, --bind user:LIST to which "
     "CPUs"},
    {"pci gpu device",
     "ranks are not placed by devices: use numa, and --gpus-per-rank N gives each the nearest GPUs",
     true},
    {"ib hfi hsn eth en",
     "ranks are not placed by devices of networks: use numa, or --bind user:LIST with the CPUs "
     "that lstopo(1) shows near to it",
     true},
    {"l1icache l2icache l3icache", "caches of instructions are not looked at: use l1, l2 or l3"},
    {"l4 l4cache l4dcache l4ucache l5 l5cache l5dcache l5ucache die",
     "such parts are not looked at: use l3, numa or socket"},
    {"node span", "ranks are numbered over the hosts in turn by -map-by node"},
    {"fill", "use --rank-by slot, with ranks that fill a part before the next: --bind core"},
    {"hwtcpus", "use --bind hwthread"},
    {"nolocal", "not needed, ranks run on the hosts that are named and nowhere else"},
});

bool is_of(const ForeignPlaces& places, std::string_view word) {
    const auto names = split_names(places.names);
    return std::any_of(names.begin(), names.end(), [&](std::string_view name) {
        return word == name || (places.numbered && word.starts_with(name));
    });
}

}  // namespace

std::string_view advice_for_place(std::string_view word) {
    word = word.substr(0, word.find('='));
    const auto* found = std::find_if(foreign_places.begin(), foreign_places.end(),
                                     [&](const auto& places) { return is_of(places, word); });
    return found == foreign_places.end() ? std::string_view() : found->advice;
}

}  // namespace launch
