// SPDX-License-Identifier: MIT
#include "modex/pmix/server/stand_in_topology.hpp"

#include <dlfcn.h>

namespace launch {
namespace {

template <class Function>
Function find(void* library, const char* name) {
    return reinterpret_cast<Function>(dlsym(library, name));
}

}  // namespace

std::unique_ptr<StandInTopology> StandInTopology::make() {
    // The very one that libpmix uses, which stays loaded with it.
    void* const hwloc = dlopen("libhwloc.so.15", RTLD_LAZY | RTLD_NOLOAD);
    if (hwloc == nullptr) return nullptr;
    const auto init = find<int (*)(void**)>(hwloc, "hwloc_topology_init");
    const auto describe = find<int (*)(void*, const char*)>(hwloc, "hwloc_topology_set_synthetic");
    const auto load = find<int (*)(void*)>(hwloc, "hwloc_topology_load");
    const auto destroy = find<Destroy>(hwloc, "hwloc_topology_destroy");
    if (init == nullptr || describe == nullptr || load == nullptr || destroy == nullptr)
        return nullptr;
    void* topology = nullptr;
    if (init(&topology) != 0) return nullptr;
    std::unique_ptr<StandInTopology> made(new StandInTopology(topology, destroy));
    if (describe(topology, "pu:1") != 0 || load(topology) != 0) return nullptr;
    return made;
}

StandInTopology::~StandInTopology() {
    destroy_(topology_);
}

}  // namespace launch
