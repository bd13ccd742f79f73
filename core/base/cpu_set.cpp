// SPDX-License-Identifier: MIT
#include "core/base/cpu_set.hpp"

#include <algorithm>
#include <bit>
#include <charconv>

namespace launch {
namespace {

constexpr uint32_t word_bits = 8 * sizeof(unsigned long);

/// Takes a number from the beginning of the text.
std::optional<uint32_t> take_cpu(std::string_view& text) {
    uint32_t cpu = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), cpu);
    if (error != std::errc{} || cpu >= CpuSet::most) return std::nullopt;
    text.remove_prefix(static_cast<std::size_t>(end - text.data()));
    return cpu;
}

bool take(std::string_view& text, char sign) {
    if (!text.starts_with(sign)) return false;
    text.remove_prefix(1);
    return true;
}

}  // namespace

void CpuSet::add(uint32_t cpu) {
    if (cpu >= most) return;
    const std::size_t word = cpu / word_bits;
    if (word >= words_.size()) words_.resize(word + 1);
    words_[word] |= 1UL << (cpu % word_bits);
}

bool CpuSet::has(uint32_t cpu) const {
    const std::size_t word = cpu / word_bits;
    return word < words_.size() && ((words_[word] >> (cpu % word_bits)) & 1U) != 0;
}

std::size_t CpuSet::size() const {
    std::size_t count = 0;
    for (const unsigned long word : words_)
        count += static_cast<std::size_t>(std::popcount(word));
    return count;
}

uint32_t CpuSet::first() const {
    uint32_t cpu = 0;
    while (!has(cpu) && cpu < most)
        ++cpu;
    return cpu;
}

std::vector<uint32_t> CpuSet::list() const {
    std::vector<uint32_t> cpus;
    for (uint32_t cpu = 0; cpu < words_.size() * word_bits; ++cpu)
        if (has(cpu)) cpus.push_back(cpu);
    return cpus;
}

CpuSet CpuSet::operator&(const CpuSet& other) const {
    CpuSet both;
    both.words_.resize(std::min(words_.size(), other.words_.size()));
    for (std::size_t i = 0; i < both.words_.size(); ++i)
        both.words_[i] = words_[i] & other.words_[i];
    both.trim();
    return both;
}

CpuSet& CpuSet::operator|=(const CpuSet& other) {
    words_.resize(std::max(words_.size(), other.words_.size()));
    for (std::size_t i = 0; i < other.words_.size(); ++i)
        words_[i] |= other.words_[i];
    return *this;
}

CpuSet CpuSet::of_words(std::span<const unsigned long> words) {
    CpuSet set;
    set.words_.assign(words.begin(),
                      words.begin() + static_cast<std::ptrdiff_t>(
                                          std::min<std::size_t>(words.size(), most / word_bits)));
    set.trim();
    return set;
}

void CpuSet::trim() {
    while (!words_.empty() && words_.back() == 0)
        words_.pop_back();
}

std::string to_string(const CpuSet& cpus) {
    std::string text;
    const auto list = cpus.list();
    for (std::size_t i = 0; i < list.size();) {
        std::size_t end = i + 1;
        while (end < list.size() && list[end] == list[end - 1] + 1)
            ++end;
        text += (text.empty() ? "" : ",") + std::to_string(list[i]);
        if (end > i + 1) text += "-" + std::to_string(list[end - 1]);
        i = end;
    }
    return text;
}

std::optional<CpuSet> read_cpus(std::string_view text) {
    CpuSet cpus;
    do {
        const auto first = take_cpu(text);
        const auto last = first && take(text, '-') ? take_cpu(text) : first;
        if (!last || *last < *first) return std::nullopt;
        for (uint32_t cpu = *first; cpu <= *last; ++cpu)
            cpus.add(cpu);
    } while (take(text, ','));
    if (!text.empty()) return std::nullopt;
    return cpus;
}

}  // namespace launch
