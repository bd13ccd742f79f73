// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <bitset>
#include <cstdint>
#include <string_view>
#include <vector>

namespace launch {

/// The resources that setrlimit(2) bounds, as far as users set them for their programs (ulimit).
enum class Resource : uint8_t {
    address_space,
    core_file,
    cpu_time,
    data,
    file_size,
    locked_memory,
    open_files,
    processes,
    resident,
    stack,
};

/// Names as users of other launchers write them, indexed by the value.
constexpr auto resource_names = std::to_array<std::string_view>(
    {"as", "core", "cpu", "data", "fsize", "memlock", "nofile", "nproc", "rss", "stack"});

using Resources = std::bitset<resource_names.size()>;

/// Never more than that: no limit.
constexpr uint64_t unlimited = UINT64_MAX;

struct SoftLimit {
    Resource resource = Resource::stack;
    uint64_t value = unlimited;

    bool operator==(const SoftLimit&) const = default;
};

/// Limits that a shell sets for the programs that it starts, besides their environment: carried
/// from the shell where launch was started to the ranks on all hosts.
struct RankLimits {
    uint32_t umask = 022;
    std::vector<SoftLimit> soft;  ///< each resource once at most; the others are each host's own

    bool operator==(const RankLimits&) const = default;
};

/// A host's own limits.
struct HostLimit {
    uint64_t soft = unlimited;
    uint64_t hard = unlimited;
};
using HostLimits = std::array<HostLimit, resource_names.size()>;

/// The limits of ranks on a host: as requested, but nothing above the hard limits there. Locked
/// memory is never less than the host's own, because the need of its network's drivers is known
/// there, and not on the machine where the user is logged in.
struct FittedLimits {
    std::vector<SoftLimit> soft;
    std::vector<SoftLimit> cut;  ///< of what was asked, what a hard limit does not allow
};
FittedLimits fit_limits(const std::vector<SoftLimit>& asked, const HostLimits& host);

/// The limits among these that a process with `own` limits does not have already.
std::vector<SoftLimit> other_than(const HostLimits& own, std::vector<SoftLimit> limits);

}  // namespace launch
