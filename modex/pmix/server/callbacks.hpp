// SPDX-License-Identifier: MIT
#pragma once

#include "modex/pmix/server/libpmix.hpp"

namespace launch {

/// What libpmix's server calls for us: turns C arguments into values and leaves them in the Inbox
/// of the job that they are about. libpmix hands no cookie to these functions, so inboxes are known
/// by their namespaces (Inboxes). What is about none of them is refused.
///
/// The functions, with room after them for those of later releases: libpmix copies as many as it
/// knows, and there must be null where we offer nothing.
struct CallbackTable {
    pmix_server_module_t module{};
    void* later[32] = {};
};
/// `release`: LibPmix::release().
CallbackTable callback_table(int release);

}  // namespace launch
