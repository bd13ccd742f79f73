#pragma once

#include <string>
#include <vector>

namespace launch {

/// What a user inside an allocation of a resource manager is to know where no hosts are given: that
/// its hosts are not used, and what to type for that. Empty outside, where the allocation is
/// `own_host` alone, and in a rank of another launch.
std::string allocation_note(const std::vector<std::string>& env, const std::string& own_host);

}  // namespace launch
