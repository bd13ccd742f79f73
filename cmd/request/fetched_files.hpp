#pragma once

#include <string>
#include <vector>

#include "cmd/options/settings.hpp"
#include "core/base/error.hpp"
#include "core/job/fetch_spec.hpp"
#include "core/job/plan.hpp"

namespace launch {

/// What --fetch names. The last colon parts the place on hosts from the folder here.
Result<std::vector<FetchSpec>> fetch_specs(const Settings& line, const std::string& wdir);

/// Nothing is started if one of them is here already.
Status check_fetched_paths(const std::vector<FetchSpec>& specs, const Plan& plan);

}  // namespace launch
