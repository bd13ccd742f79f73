// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>
#include <string>

#include "core/bind/deal_gpus.hpp"
#include "topologies/machine/hwloc_machine.hpp"

namespace launch {
namespace {

std::string mask(uint32_t cpus) {
    return " cpuset=\"" + std::to_string(cpus) + "\" complete_cpuset=\"" + std::to_string(cpus) +
           "\" nodeset=\"0x1\" complete_nodeset=\"0x1\"";
}

/// A socket with one core and one PCI device, which a library and the kernel each tell of.
std::string socket(uint32_t number, const std::string& bus, const std::string& vendor) {
    const std::string i = std::to_string(number);
    const std::string cpus = mask(1U << number);
    return "<object type=\"Package\" os_index=\"" + i + "\"" + cpus + " gp_index=\"1" + i + "\">" +
           "<object type=\"Core\" os_index=\"" + i + "\"" + cpus + " gp_index=\"2" + i + "\">" +
           "<object type=\"PU\" os_index=\"" + i + "\"" + cpus + " gp_index=\"3" + i + "\"/>" +
           "</object>" + "<object type=\"Bridge\" gp_index=\"4" + i +
           "\" bridge_type=\"0-1\" depth=\"0\" " + "bridge_pci=\"0000:[" + bus + "-" + bus +
           "]\">" + "<object type=\"PCIDev\" gp_index=\"5" + i + "\" pci_busid=\"0000:" + bus +
           ":00.0\" pci_type=\"0302 [" + vendor + ":0001] [0000:0000] 00\" " +
           "pci_link_speed=\"0.0\">" + "<object type=\"OSDev\" gp_index=\"6" + i +
           "\" name=\"card" + i + "\" osdev_type=\"1\"/>" + "<object type=\"OSDev\" gp_index=\"7" +
           i + "\" name=\"cuda" + i + "\" osdev_type=\"5\"/></object></object></object>";
}

std::string machine_of(const std::string& sockets) {
    // Without libxml2, hwloc's own small parser takes only what has its head on lines of their own.
    return "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
           "<!DOCTYPE topology SYSTEM \"hwloc2.dtd\">\n"
           "<topology version=\"2.0\"><object type=\"Machine\" os_index=\"0\"" +
           mask(7) + " allowed_cpuset=\"7\" allowed_nodeset=\"0x1\" gp_index=\"1\">" +
           "<object type=\"NUMANode\" os_index=\"0\"" + mask(7) +
           " gp_index=\"2\" local_memory=\"1073741824\"/>" + sockets + "</object></topology>";
}

// The second socket's GPU comes first on the bus; the third's device is a server's own graphics.
TEST(HwlocGpus, are_counted_once_by_their_place_on_the_bus) {
    const auto machine = described_machine(
        machine_of(socket(0, "41", "10de") + socket(1, "01", "10de") + socket(2, "02", "1a03")));
    ASSERT_TRUE(machine) << machine.error().cause;
    ASSERT_EQ(machine->gpus.size(), 2u);
    EXPECT_EQ(to_string(machine->gpus[0].near), "1");
    EXPECT_EQ(to_string(machine->gpus[1].near), "0");
    const auto dealt =
        deal_gpus(*machine, {GpuChoice::How::count, 1}, {*read_cpus("0"), *read_cpus("1")}, {});
    ASSERT_TRUE(dealt);
    EXPECT_EQ(dealt->at(0).at(0), "CUDA_VISIBLE_DEVICES=1");
    EXPECT_EQ(dealt->at(1).at(0), "CUDA_VISIBLE_DEVICES=0");
}

TEST(HwlocGpus, are_of_the_vendor_that_the_bus_tells) {
    const auto machine =
        described_machine(machine_of(socket(0, "41", "1002") + socket(1, "01", "8086")));
    ASSERT_TRUE(machine) << machine.error().cause;
    ASSERT_EQ(machine->gpus.size(), 2u);
    EXPECT_EQ(machine->gpus[0].vendor, Gpu::Vendor::intel);
    EXPECT_EQ(machine->gpus[1].vendor, Gpu::Vendor::amd);
}

}  // namespace
}  // namespace launch
