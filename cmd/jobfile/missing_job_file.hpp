#pragma once

#include <string>

#include "cmd/options/origin.hpp"
#include "core/base/error.hpp"

namespace launch {

/// Of a job file that is not there: names the one in its folder that was probably meant. Where the
/// word alone made it one, it may have been meant as a program: says how that is written.
Error missing_job_file(const std::string& path, const Origin& origin);

}  // namespace launch
