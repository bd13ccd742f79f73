// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "modex/pmix/server/libpmix.hpp"

namespace launch {

/// An event that a rank has told its server, as libpmix hands it over.
struct PmixEvent {
    pmix_status_t code = PMIX_SUCCESS;
    pmix_proc_t source{};
    pmix_data_range_t range = PMIX_RANGE_NAMESPACE;
    pmix_info_t* infos = nullptr;
    size_t count = 0;
};

/// The ranks of other nodes may be among those that an event of this range is for. Which of them
/// are, libpmix decides at each node.
bool concerns_other_nodes(pmix_data_range_t range);

/// As bytes, for other nodes; nothing: libpmix cannot put it into any.
std::optional<std::string> pack_event(const LibPmix& lib, const PmixEvent& event);

/// Passes a packed event to this node's libpmix, for its clients. An event of another release of
/// libpmix may be unreadable, and is dropped.
void tell_packed_event(const LibPmix& lib, std::string_view bytes);

}  // namespace launch
