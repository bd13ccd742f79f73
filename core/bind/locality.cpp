// SPDX-License-Identifier: MIT
#include "core/bind/locality.hpp"

#include <array>
#include <string_view>
#include <utility>

namespace launch {
namespace {

/// In the order of the text: from the outermost to the innermost, and memory.
constexpr auto codes = std::to_array<std::pair<MachinePart, std::string_view>>({
    {MachinePart::socket, "SK"},
    {MachinePart::l3, "L3"},
    {MachinePart::l2, "L2"},
    {MachinePart::l1, "L1"},
    {MachinePart::core, "CR"},
    {MachinePart::hwthread, "HT"},
    {MachinePart::numa, "NM"},
});

/// The numbers of the parts, which are folded as those of CPUs are.
CpuSet numbers_of(const Machine::Parts& parts, const CpuSet& cpus) {
    CpuSet numbers;
    for (std::size_t i = 0; i < parts.size(); ++i)
        if (parts[i].meets(cpus)) numbers.add(static_cast<uint32_t>(i));
    return numbers;
}

}  // namespace

std::string locality_text(const Machine& machine, const CpuSet& cpus) {
    std::string text;
    for (const auto& [part, code] : codes) {
        const CpuSet numbers = numbers_of(machine.all(part), cpus);
        if (numbers.empty()) continue;
        if (!text.empty()) text += ':';
        text += code;
        text += to_string(numbers);
    }
    return text;
}

}  // namespace launch
