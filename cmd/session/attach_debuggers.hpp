// SPDX-License-Identifier: MIT
#pragma once

#include "cmd/options/settings.hpp"
#include "core/base/error.hpp"

namespace launch {

/// The settings of a job of debuggers (launch debug --attach JOB): each is attached to a rank of
/// the running job that the settings name, on the host where that rank runs, in the order of the
/// ranks.
Result<Settings> attach_debuggers(Settings settings);

}  // namespace launch
