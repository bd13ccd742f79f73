// SPDX-License-Identifier: MIT
#include "core/bind/deal_gpus.hpp"

#include <gtest/gtest.h>

#include "tests/unit/core/bind/machines.hpp"
#include "tests/unit/golden.hpp"

namespace launch {
namespace {

/// Two sockets of four cores, so many GPUs at each; those of the second socket come first.
Machine machine_with(uint32_t at_each, Gpu::Vendor vendor = Gpu::Vendor::nvidia) {
    Machine machine = machine_of({.sockets = 2, .cores = 4});
    for (const size_t socket : {size_t{1}, size_t{0}})
        for (uint32_t i = 0; i < at_each; ++i)
            machine.gpus.push_back({vendor, machine.all(MachinePart::socket)[socket]});
    return machine;
}

/// What each rank sees, "0,1 2,3"; or why not.
std::string dealt(const Machine& machine, GpuChoice choice, const std::vector<const char*>& cpus,
                  const std::vector<std::string>& env = {}) {
    std::vector<CpuSet> places;
    for (const char* text : cpus)
        places.push_back(read_cpus(text).value_or(CpuSet{}));
    const auto variables = deal_gpus(machine, choice, places, env);
    if (!variables) return variables.error().cause;
    std::string text;
    for (const auto& of_rank : *variables) {
        const std::string first = of_rank.empty() ? "=-" : of_rank.front();
        text += (text.empty() ? "" : " ") + first.substr(first.find('=') + 1);
    }
    return text;
}

constexpr GpuChoice automatic{GpuChoice::How::automatic, 0};
constexpr GpuChoice one{GpuChoice::How::count, 1};
constexpr GpuChoice two{GpuChoice::How::count, 2};

TEST(DealGpus, gives_each_rank_the_nearest) {
    const Machine machine = machine_with(2);
    EXPECT_EQ(dealt(machine, one, {"0", "1", "4", "5"}), "2 3 0 1");
    EXPECT_EQ(dealt(machine, one, {"0", "4"}), "2 0");
    EXPECT_EQ(dealt(machine, two, {"0-3", "4-7"}), "2,3 0,1");
    // Three on the first socket: one of them has to take what is far.
    EXPECT_EQ(dealt(machine, one, {"0", "1", "2"}), "2 3 0");
    EXPECT_EQ(dealt(machine, one, {"", ""}), "0 1");
}

TEST(DealGpus, deals_all_evenly) {
    const Machine machine = machine_with(2);
    EXPECT_EQ(dealt(machine, automatic, {"0"}), "0,1,2,3");
    EXPECT_EQ(dealt(machine, automatic, {"0", "4"}), "2,3 0,1");
    EXPECT_EQ(dealt(machine, automatic, {"0", "1", "4"}), "2 3 0");
    // More ranks than GPUs share them.
    EXPECT_EQ(dealt(machine_with(1), automatic, {"0", "4", "1", "5"}), "1 0 1 0");
    EXPECT_EQ(dealt(machine_with(0), automatic, {"0", "1"}), "- -");
}

TEST(DealGpus, says_where_there_are_too_few) {
    expect_told({"2 ranks", "2 GPUs"}, dealt(machine_with(1), two, {"0", "4"}));
    expect_told({"1 rank", "1 GPU"}, dealt(machine_with(0), one, {"0"}));
}

TEST(DealGpus, keeps_to_those_that_a_scheduler_gave) {
    const Machine machine = machine_with(2);
    EXPECT_EQ(dealt(machine, one, {"0", "4"}, {"CUDA_VISIBLE_DEVICES=1,3"}), "3 1");
    expect_told({"2 ranks", "2 GPUs"},
                dealt(machine, two, {"0", "4"}, {"CUDA_VISIBLE_DEVICES=1,3"}));
    EXPECT_EQ(dealt(machine, automatic, {"0", "4"}, {"CUDA_VISIBLE_DEVICES=GPU-ab,GPU-cd"}),
              "GPU-ab GPU-cd");
    expect_told({"1 rank", "1 GPU"}, dealt(machine, one, {"0"}, {"CUDA_VISIBLE_DEVICES=9"}));
}

TEST(DealGpus, speaks_the_language_of_the_vendor) {
    const auto variables = [](Gpu::Vendor vendor) {
        return deal_gpus(machine_with(1, vendor), one, {*read_cpus("0")}, {});
    };
    using Names = std::vector<std::vector<std::string>>;
    EXPECT_EQ(*variables(Gpu::Vendor::nvidia),
              (Names{{"CUDA_VISIBLE_DEVICES=1", "CUDA_DEVICE_ORDER=PCI_BUS_ID"}}));
    EXPECT_EQ(*variables(Gpu::Vendor::amd), (Names{{"ROCR_VISIBLE_DEVICES=1"}}));
    EXPECT_EQ(*variables(Gpu::Vendor::intel),
              (Names{{"ZE_AFFINITY_MASK=1", "ZE_ENABLE_PCI_ID_DEVICE_ORDER=1"}}));
    Machine both = machine_with(1, Gpu::Vendor::intel);
    both.gpus.push_back({Gpu::Vendor::amd, {}});
    EXPECT_EQ(*deal_gpus(both, one, {*read_cpus("0")}, {}), (Names{{"ROCR_VISIBLE_DEVICES=0"}}));
}

}  // namespace
}  // namespace launch
