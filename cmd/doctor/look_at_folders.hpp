// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "cmd/doctor/host_facts.hpp"

namespace launch {

/// The folders that matter on this host, each written to as a test. `login`: the environment of a
/// login here, by which launch chooses among them. It takes no longer than some seconds.
std::vector<FolderFact> look_at_folders(const std::vector<std::string>& login);

/// Whether there is a folder of that name that can be entered; a file server that does not answer
/// makes it none.
bool can_enter(const std::string& folder);

}  // namespace launch
