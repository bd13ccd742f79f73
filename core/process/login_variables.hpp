// SPDX-License-Identifier: MIT
#pragma once

namespace launch {

/// Sets what a login sets of who the user is (HOME, USER, LOGNAME, SHELL), where this process was
/// started without them, as a batch system may do: programs that it starts expect them.
void set_login_variables();

}  // namespace launch
