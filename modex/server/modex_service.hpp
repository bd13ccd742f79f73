#pragma once

#include "core/modex_server.hpp"

namespace launch {

/// The modex server of a node: one key-value space (Exchange), a front for each rank.
std::unique_ptr<ModexServer> make_modex_service(any_io_executor executor, const JobMessage& job,
                                                ModexHost& host);

}  // namespace launch
