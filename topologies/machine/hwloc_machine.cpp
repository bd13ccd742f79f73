// SPDX-License-Identifier: MIT
#include "topologies/machine/hwloc_machine.hpp"

#include <array>
#include <hwloc.h>
#include <map>
#include <memory>
#include <utility>

#include "core/base/library.hpp"

namespace launch {
namespace {

/// The functions of libhwloc that are used here. Not the inline ones of its headers, which call
/// others.
struct Hwloc {
    Library library{"libhwloc.so.15"};
    decltype(&hwloc_topology_init) init = nullptr;
    decltype(&hwloc_topology_destroy) destroy = nullptr;
    decltype(&hwloc_topology_set_flags) set_flags = nullptr;
    decltype(&hwloc_topology_set_synthetic) set_synthetic = nullptr;
    decltype(&hwloc_topology_set_xmlbuffer) set_xml = nullptr;
    decltype(&hwloc_topology_set_io_types_filter) filter_io = nullptr;
    decltype(&hwloc_topology_load) load = nullptr;
    decltype(&hwloc_topology_is_thissystem) is_here = nullptr;
    decltype(&hwloc_topology_get_allowed_cpuset) allowed = nullptr;
    decltype(&hwloc_get_type_depth) depth_of = nullptr;
    decltype(&hwloc_get_nbobjs_by_depth) count = nullptr;
    decltype(&hwloc_get_obj_by_depth) object = nullptr;
    decltype(&hwloc_bitmap_next) next = nullptr;

    Hwloc() {
        library.load(init, "hwloc_topology_init");
        library.load(destroy, "hwloc_topology_destroy");
        library.load(set_flags, "hwloc_topology_set_flags");
        library.load(set_synthetic, "hwloc_topology_set_synthetic");
        library.load(set_xml, "hwloc_topology_set_xmlbuffer");
        library.load(filter_io, "hwloc_topology_set_io_types_filter");
        library.load(load, "hwloc_topology_load");
        library.load(is_here, "hwloc_topology_is_thissystem");
        library.load(allowed, "hwloc_topology_get_allowed_cpuset");
        library.load(depth_of, "hwloc_get_type_depth");
        library.load(count, "hwloc_get_nbobjs_by_depth");
        library.load(object, "hwloc_get_obj_by_depth");
        library.load(next, "hwloc_bitmap_next");
    }
};

Error cannot_read(std::string cause, std::string hint = {}) {
    Error error;
    error.kind = ErrorKind::internal;
    error.operation = "read this machine's CPUs";
    error.cause = std::move(cause);
    error.hint = std::move(hint);
    return error;
}

/// Which machine, this host's where none is described, and what of it.
struct Wanted {
    std::string synthetic = {};
    std::string xml = {};
    bool gpus = false;
};

class LoadedTopology {
  public:
    explicit LoadedTopology(const Hwloc& hwloc) : hwloc_(hwloc) {
        if (hwloc_.init(&topology_) != 0) topology_ = nullptr;
    }
    LoadedTopology(const LoadedTopology&) = delete;
    LoadedTopology& operator=(const LoadedTopology&) = delete;
    ~LoadedTopology() {
        if (topology_ != nullptr) hwloc_.destroy(topology_);
    }

    Result<Machine> read(const Wanted& wanted) {
        if (topology_ == nullptr) return cannot_read("hwloc cannot start");
        const std::string& synthetic = wanted.synthetic;
        const std::string& xml = wanted.xml;
        if (!synthetic.empty() && hwloc_.set_synthetic(topology_, synthetic.c_str()) != 0)
            return cannot_read("hwloc does not understand " + synthetic);
        if (!xml.empty() &&
            hwloc_.set_xml(topology_, xml.c_str(), static_cast<int>(xml.size()) + 1) != 0)
            return cannot_read("hwloc does not understand its XML");
        if (wanted.gpus) hwloc_.filter_io(topology_, HWLOC_TYPE_FILTER_KEEP_IMPORTANT);
        // Parts that a cgroup takes away are drawn, too.
        hwloc_.set_flags(topology_, HWLOC_TOPOLOGY_FLAG_INCLUDE_DISALLOWED);
        if (hwloc_.load(topology_) != 0) return cannot_read("hwloc cannot read the CPUs");
        Machine machine;
        machine.is_here = hwloc_.is_here(topology_) != 0;
        machine.usable = cpus_of(hwloc_.allowed(topology_));
        constexpr auto kinds = std::to_array<std::pair<MachinePart, hwloc_obj_type_t>>({
            {MachinePart::hwthread, HWLOC_OBJ_PU},
            {MachinePart::core, HWLOC_OBJ_CORE},
            {MachinePart::l1, HWLOC_OBJ_L1CACHE},
            {MachinePart::l2, HWLOC_OBJ_L2CACHE},
            {MachinePart::l3, HWLOC_OBJ_L3CACHE},
            {MachinePart::numa, HWLOC_OBJ_NUMANODE},
            {MachinePart::socket, HWLOC_OBJ_PACKAGE},
            {MachinePart::machine, HWLOC_OBJ_MACHINE},
        });
        for (const auto& [part, type] : kinds)
            machine.all(part) = parts_of(type);
        complete(machine);
        if (wanted.gpus) machine.gpus = gpus();
        return machine;
    }

  private:
    CpuSet cpus_of(hwloc_const_bitmap_t bitmap) const {
        CpuSet cpus;
        // A set without an end would have no last one.
        for (int cpu = hwloc_.next(bitmap, -1); cpu >= 0 && std::cmp_less(cpu, CpuSet::most);
             cpu = hwloc_.next(bitmap, cpu))
            cpus.add(static_cast<uint32_t>(cpu));
        return cpus;
    }

    /// Memory without CPUs, as some devices have it, is no part that a rank can run on.
    Machine::Parts parts_of(hwloc_obj_type_t type) const {
        Machine::Parts parts;
        const int depth = hwloc_.depth_of(topology_, type);
        if (depth == HWLOC_TYPE_DEPTH_UNKNOWN || depth == HWLOC_TYPE_DEPTH_MULTIPLE) return parts;
        const unsigned count = hwloc_.count(topology_, depth);
        for (unsigned i = 0; i < count; ++i) {
            CpuSet cpus = cpus_of(hwloc_.object(topology_, depth, i)->cpuset);
            if (!cpus.empty()) parts.push_back(std::move(cpus));
        }
        return parts;
    }

    /// Sorted by their place on the PCI bus: libraries report one device several times (cuda0,
    /// nvml0, renderD128), and number devices in this order, or can be ordered to.
    std::vector<Gpu> gpus() const {
        std::map<uint64_t, Gpu> by_place;
        const unsigned count = hwloc_.count(topology_, HWLOC_TYPE_DEPTH_OS_DEVICE);
        for (unsigned i = 0; i < count; ++i) {
            const auto* device = hwloc_.object(topology_, HWLOC_TYPE_DEPTH_OS_DEVICE, i);
            const auto type = device->attr->osdev.type;
            if (type != HWLOC_OBJ_OSDEV_GPU && type != HWLOC_OBJ_OSDEV_COPROC) continue;
            const auto* pci = device;
            while (pci != nullptr && pci->type != HWLOC_OBJ_PCI_DEVICE)
                pci = pci->parent;
            if (pci == nullptr) continue;
            const auto& at = pci->attr->pcidev;
            const auto vendor = vendor_of(at.vendor_id);
            const uint64_t place = uint64_t{at.domain} << 32 | uint64_t{at.bus} << 16 |
                                   uint64_t{at.dev} << 8 | at.func;
            if (vendor) by_place.try_emplace(place, Gpu{*vendor, cpus_near(pci)});
        }
        std::vector<Gpu> found;
        found.reserve(by_place.size());
        for (auto& [place, gpu] : by_place)
            found.push_back(std::move(gpu));
        return found;
    }

    /// Nothing for others: a server's own little graphics chip is nothing to compute on.
    static std::optional<Gpu::Vendor> vendor_of(unsigned short pci_vendor) {
        switch (pci_vendor) {
            case 0x10de: return Gpu::Vendor::nvidia;
            case 0x1002: return Gpu::Vendor::amd;
            case 0x8086: return Gpu::Vendor::intel;
            default: return std::nullopt;
        }
    }

    /// The CPUs of the part of the machine to which the device is attached.
    CpuSet cpus_near(const hwloc_obj* object) const {
        while (object != nullptr && object->cpuset == nullptr)
            object = object->parent;
        return object == nullptr ? CpuSet{} : cpus_of(object->cpuset);
    }

    /// Some virtual machines tell of no cores, or of no sockets.
    static void complete(Machine& machine) {
        if (machine.all(MachinePart::core).empty())
            machine.all(MachinePart::core) = machine.all(MachinePart::hwthread);
        if (machine.all(MachinePart::socket).empty())
            machine.all(MachinePart::socket) = machine.all(MachinePart::machine);
    }

    const Hwloc& hwloc_;
    hwloc_topology_t topology_ = nullptr;
};

Result<Machine> read_by_hwloc(const Wanted& wanted) {
    const Hwloc hwloc;
    if (!hwloc.library.why_not().empty())
        return cannot_read(hwloc.library.why_not(), "Debian: apt-get install libhwloc15");
    return LoadedTopology(hwloc).read(wanted);
}

}  // namespace

Result<Machine> read_machine(bool with_gpus) {
    return read_by_hwloc({.gpus = with_gpus});
}

Result<Machine> synthetic_machine(const std::string& description) {
    return read_by_hwloc({.synthetic = description});
}

Result<Machine> described_machine(const std::string& xml) {
    return read_by_hwloc({.xml = xml, .gpus = true});
}

}  // namespace launch
