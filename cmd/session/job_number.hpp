#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "core/base/error.hpp"
#include "core/wire/job_text.hpp"

namespace launch {

/// The whole text is a number.
std::optional<uint32_t> read_number(const std::string& text);

/// A job of a session, as `launch ps` shows it. The error begins with the subcommand's name.
Result<JobNumber> read_job_number(const std::string& subcommand, const std::string& text);

}  // namespace launch
