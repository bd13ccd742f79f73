// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace launch {

/// A job among those of one tree, from 1; the head gives it.
enum class JobNumber : uint32_t {};
/// In an order that is for all jobs.
inline constexpr JobNumber all_jobs{0};
/// The one that a tree is started for, where it is started for one.
inline constexpr JobNumber first_job{1};

/// A message of one part of a job to another, as the tree carries it (is_of_job()).
struct JobText {
    JobNumber job{};
    std::string_view body;  ///< points into the payload
};
std::string wrap_job(JobNumber job, std::string_view body);
std::optional<JobText> unwrap_job(std::string_view payload);

}  // namespace launch
