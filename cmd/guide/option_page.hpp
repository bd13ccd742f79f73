// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "cmd/guide/document.hpp"
#include "cmd/options/table.hpp"
#include "core/base/error.hpp"

namespace launch::guide {

/// All that there is to know of one option. `topics`: those that tell of it.
Result<Document> option_page(const OptionRow& option, const std::vector<std::string>& topics);

}  // namespace launch::guide
