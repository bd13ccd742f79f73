// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <string>

namespace launch {

/// Variables of this process that are set when other threads run already. setenv() then moves the
/// environment away from under a getenv() of theirs, which libraries call at any time (resolvers,
/// OpenSSL, libpmix). So room for them is made before; then one pointer changes.

/// Room for so many. Before any thread exists; all calls but the first do nothing.
void reserve_late_variables(size_t count);

/// Sets it, unless it is set. From one thread.
void set_late_variable(const std::string& name, const std::string& value);

}  // namespace launch
