// SPDX-License-Identifier: MIT
#include "cmd/options/place_words.hpp"

#include <algorithm>
#include <array>

#include "cmd/options/usage_error.hpp"
#include "core/base/list_text.hpp"

namespace launch {
namespace {

struct PartName {
    std::string_view name;
    MachinePart part;
};

/// Other launchers' names of the parts, in lower case: Open MPI's manual writes L1cache and
/// NOOVERSUBSCRIBE, and users write either. The first of each is launch's. hwloc has one cache of a
/// level for what Hydra calls a data cache and a unified one.
constexpr auto part_names = std::to_array<PartName>({
    {"hwthread", MachinePart::hwthread},
    {"core", MachinePart::core},
    {"l1", MachinePart::l1},
    {"l2", MachinePart::l2},
    {"l3", MachinePart::l3},
    {"numa", MachinePart::numa},
    {"socket", MachinePart::socket},
    {"machine", MachinePart::machine},
    {"hwt", MachinePart::hwthread},
    {"pu", MachinePart::hwthread},
    {"l1cache", MachinePart::l1},
    {"l1dcache", MachinePart::l1},
    {"l1ucache", MachinePart::l1},
    {"l2cache", MachinePart::l2},
    {"l2dcache", MachinePart::l2},
    {"l2ucache", MachinePart::l2},
    {"l3cache", MachinePart::l3},
    {"l3dcache", MachinePart::l3},
    {"l3ucache", MachinePart::l3},
    {"numanode", MachinePart::numa},
    {"package", MachinePart::socket},
    {"board", MachinePart::machine},
});

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
    const auto names = split(places.names, ' ');
    return std::any_of(names.begin(), names.end(), [&](std::string_view name) {
        return word == name || (places.numbered && word.starts_with(name));
    });
}

/// In lower case, without the part after a colon. Empty: no known launcher has this word.
std::string_view advice_for_place(std::string_view word) {
    word = word.substr(0, word.find('='));
    const auto* found = std::find_if(foreign_places.begin(), foreign_places.end(),
                                     [&](const auto& places) { return is_of(places, word); });
    return found == foreign_places.end() ? std::string_view() : found->advice;
}

}  // namespace

std::string unknown_place(std::string_view word, std::string otherwise,
                          const std::vector<ChoiceWord>& known) {
    const auto advice = advice_for_place(word);
    if (!advice.empty()) return std::string(advice);
    std::vector<std::string_view> names;
    for (const ChoiceWord& each : known)
        names.push_back(each.text);
    return std::move(otherwise) + did_you_mean(nearest(word, names));
}

std::optional<MachinePart> part_of(std::string_view name) {
    const auto* found = std::find_if(part_names.begin(), part_names.end(),
                                     [&](const PartName& each) { return each.name == name; });
    if (found == part_names.end()) return std::nullopt;
    return found->part;
}

std::string part_name(MachinePart part) {
    return std::string(machine_part_names.at(static_cast<size_t>(part)));
}

}  // namespace launch
