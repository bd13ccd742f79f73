// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cmd/doctor/examine.hpp"

namespace launch {

/// How bad it is, the worst first.
enum class Severity : uint8_t {
    fault,    ///< a launch on these hosts would not work
    warning,  ///< it would, and something goes wrong or slowly that one would wonder about
    note,     ///< good to know
    good,     ///< nothing was found
};
inline constexpr auto severity_names =
    std::to_array<std::string_view>({"fault", "warning", "note", "ok"});

/// The checks, in the order in which findings are printed.
enum class Check : uint8_t { start, login, names, links, clock, limits, disk, folder, glibc, mpi };
inline constexpr auto check_names = std::to_array<std::string_view>(
    {"start", "login", "names", "links", "clock", "limits", "disk", "folder", "glibc", "mpi"});

/// One thing that is so on one host or several.
struct Finding {
    Severity severity = Severity::good;
    Check check = Check::start;
    std::vector<std::string> hosts;
    std::string what;
    std::string fix;                ///< what to do about it; may be empty
    std::optional<ErrorKind> kind;  ///< of a fault: as what the launch would fail

    bool operator==(const Finding&) const = default;
};

/// Returns the findings, the worst first; hosts with the same finding share one. A check that found
/// nothing worse than notes gives one finding that is `good`. A pure function.
std::vector<Finding> judge(const Examination& seen);

/// Returns the error by which a launch would fail; nothing: it would work.
std::optional<ErrorKind> would_fail_by(const std::vector<Finding>& findings);

}  // namespace launch
