// SPDX-License-Identifier: MIT
#include "core/bind/deal_gpus.hpp"

#include <algorithm>
#include <array>
#include <string_view>

#include "core/base/counted.hpp"
#include "core/base/environment.hpp"

namespace launch {
namespace {

/// The variables that the libraries of a vendor read.
struct VendorNames {
    Gpu::Vendor vendor;
    const char* visible;
    const char* order;  ///< makes its numbers those of the PCI bus; empty: they are
};

/// A host's GPUs are dealt of one vendor, the first of these that it has: an Intel chip's own
/// graphics are not what a job asks for where there are others.
constexpr auto vendors = std::to_array<VendorNames>({
    {Gpu::Vendor::nvidia, "CUDA_VISIBLE_DEVICES", "CUDA_DEVICE_ORDER=PCI_BUS_ID"},
    {Gpu::Vendor::amd, "ROCR_VISIBLE_DEVICES", ""},
    {Gpu::Vendor::intel, "ZE_AFFINITY_MASK", "ZE_ENABLE_PCI_ID_DEVICE_ORDER=1"},
});

struct Device {
    std::string name;  ///< as the variable has it: a number, or what a scheduler put there
    CpuSet near;
    bool used = false;
};

/// Only those that the variable names, in its order.
std::vector<Device> allowed(const std::vector<Device>& all, std::string_view names) {
    std::vector<Device> devices;
    while (!names.empty()) {
        const size_t end = names.find(',');
        const std::string name(names.substr(0, end));
        const auto known = std::find_if(all.begin(), all.end(),
                                        [&](const Device& each) { return each.name == name; });
        const bool is_number = name.find_first_not_of("0123456789") == std::string::npos;
        if (known != all.end())
            devices.push_back(*known);
        else if (!is_number)
            devices.push_back({name, {}});
        names = end == std::string_view::npos ? std::string_view() : names.substr(end + 1);
    }
    return devices;
}

std::vector<Device> devices_of(const Machine& machine, const VendorNames& names,
                               const std::vector<std::string>& env) {
    std::vector<Device> devices;
    for (const Gpu& gpu : machine.gpus)
        if (gpu.vendor == names.vendor)
            devices.push_back({std::to_string(devices.size()), gpu.near});
    const std::string given(env_value(env, names.visible));
    return given.empty() ? devices : allowed(devices, given);
}

/// Not used yet, with the most of the rank's CPUs near to it.
Device& nearest(std::vector<Device>& devices, const CpuSet& cpus) {
    const auto all_used =
        std::all_of(devices.begin(), devices.end(), [](const Device& each) { return each.used; });
    Device* best = nullptr;
    size_t most = 0;
    for (Device& device : devices) {
        if (all_used) device.used = false;  // ranks share them
        if (device.used) continue;
        const size_t shared = (device.near & cpus).size();
        if (best != nullptr && shared <= most) continue;
        best = &device;
        most = shared;
    }
    best->used = true;
    return *best;
}

Error too_few(size_t ranks, uint32_t each, size_t there) {
    Error error;
    error.kind = ErrorKind::usage;
    error.operation = "deal GPUs";
    error.cause = "each rank needs " + counted(each, "GPU") + ", but this host has " +
                  std::to_string(there) + " for " + counted(ranks, "rank");
    error.hint = "start fewer ranks on this host, or use --gpus-per-rank auto";
    return error;
}

std::string numbers_of(std::vector<Device>& devices, uint32_t count, const CpuSet& cpus) {
    std::vector<const Device*> own;
    for (uint32_t i = 0; i < count; ++i)
        own.push_back(&nearest(devices, cpus));
    std::sort(own.begin(), own.end());  // as they stand in the list
    std::string names;
    for (const Device* device : own)
        names += (names.empty() ? "" : ",") + device->name;
    return names;
}

}  // namespace

Result<std::vector<std::vector<std::string>>> deal_gpus(const Machine& machine,
                                                        const GpuChoice& choice,
                                                        const std::vector<CpuSet>& cpus,
                                                        const std::vector<std::string>& env) {
    std::vector<std::vector<std::string>> dealt(cpus.size());
    if (choice.how == GpuChoice::How::none || cpus.empty()) return dealt;
    std::vector<Device> devices;
    const VendorNames* names = nullptr;
    for (const VendorNames& vendor : vendors) {
        if (!devices.empty()) break;
        devices = devices_of(machine, vendor, env);
        names = &vendor;
    }
    const bool automatic = choice.how == GpuChoice::How::automatic;
    const auto share = static_cast<uint32_t>(std::max<size_t>(devices.size() / cpus.size(), 1));
    const uint32_t each = automatic ? share : choice.count;
    if (!automatic && devices.size() < uint64_t{each} * cpus.size())
        return too_few(cpus.size(), each, devices.size());
    if (devices.empty()) return dealt;
    for (size_t rank = 0; rank < cpus.size(); ++rank) {
        dealt[rank].push_back(std::string(names->visible) + "=" +
                              numbers_of(devices, each, cpus[rank]));
        if (*names->order != '\0') dealt[rank].emplace_back(names->order);
    }
    return dealt;
}

}  // namespace launch
