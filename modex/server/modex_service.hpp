// SPDX-License-Identifier: MIT
#pragma once

#include "core/modex_server.hpp"
#include "modex/pmix/pmix_server.hpp"

namespace launch {

/// Makes the modex server of a node and a job: one key-value space (Exchange), and a front for each
/// rank. The servers of one factory share what exists once for all jobs of a tree whose root is in
/// this process (RootDesk), so a process has one factory. Call it before any thread exists, because
/// it makes room in the environment.
ModexFactory modex_service_factory(PmixLibrary pmix);

}  // namespace launch
