// SPDX-License-Identifier: MIT
#pragma once

#include "modex/pmix/server/libpmix.hpp"

namespace launch {

/// The functions that libpmix's server calls: they turn C arguments into values and put them in the
/// Inbox of the job concerned. libpmix passes no cookie to these functions, so inboxes are found by
/// their namespaces (Inboxes). A call that concerns none of them is refused.
///
/// After the functions there is room for those of later releases: libpmix copies as many as it
/// knows, and a function that launch does not offer must be null.
struct CallbackTable {
    pmix_server_module_t module{};
    void* later[32] = {};
};
/// `release`: LibPmix::release(). `tools`: tools may connect. Without that libpmix turns them away
/// itself.
CallbackTable callback_table(int release, bool tools);

}  // namespace launch
