// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace launch {

/// CPUs of one machine by the kernel's numbers, as in taskset(1): hardware threads, that is.
class CpuSet {
  public:
    /// No machine has more, and no text makes a set larger than this.
    static constexpr uint32_t most = 1U << 16;

    /// From `most` on nothing is added.
    void add(uint32_t cpu);
    bool has(uint32_t cpu) const;
    bool empty() const { return words_.empty(); }
    std::size_t size() const;
    /// The lowest; of a set that is not empty.
    uint32_t first() const;
    std::vector<uint32_t> list() const;

    bool meets(const CpuSet& other) const { return !(*this & other).empty(); }
    bool is_within(const CpuSet& other) const { return (*this & other) == *this; }
    CpuSet operator&(const CpuSet& other) const;
    CpuSet& operator|=(const CpuSet& other);
    bool operator==(const CpuSet&) const = default;

    /// As sched_setaffinity(2) takes them, which is bit i of word i / 64 for CPU i.
    std::span<const unsigned long> words() const { return words_; }
    static CpuSet of_words(std::span<const unsigned long> words);

  private:
    void trim();

    std::vector<unsigned long> words_;  ///< the last one is not 0
};

/// "0-3,8", as in taskset -c; empty for no CPU.
std::string to_string(const CpuSet& cpus);

/// Reads such a text, which must not be empty. Nothing: it is not valid.
std::optional<CpuSet> read_cpus(std::string_view text);

}  // namespace launch
