// SPDX-License-Identifier: MIT
#pragma once

#include "core/modex_server.hpp"

namespace launch {

/// Makes the modex server of a node and a job: one key-value space (Exchange), a front for each
/// rank. Those that it makes share what is there once for all jobs of a tree, if its root is in
/// this process (RootDesk): so there is one such factory in a process. Before any thread exists,
/// since it makes room in the environment.
ModexFactory modex_service_factory();

}  // namespace launch
