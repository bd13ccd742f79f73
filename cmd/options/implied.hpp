// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <vector>

#include "cmd/options/source.hpp"

namespace launch {

/// The sources, and before each that sets an option such as --independent one more, which says what
/// that option implies (OptionRow::implies), as if its user had written it there. A source's own
/// words on the same rows are stronger; those of weaker sources are weaker. An option that is taken
/// back, by the same source or a stronger one, implies nothing.
std::vector<Source> with_what_is_implied(std::span<const Source> sources);

}  // namespace launch
