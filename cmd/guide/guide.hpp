// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "cmd/options/table.hpp"
#include "core/base/error.hpp"

namespace launch::guide {

/// Topic names, in the order to show them.
std::vector<std::string_view> topic_names();

/// The topics with their summaries.
std::vector<ChoiceWord> topic_words();

/// The text of a page's name: a topic's, a command's, "launch" for launch(1), or an option: as it
/// is typed, or, if no page has that name, without its dashes or by its key. An unknown name is a
/// usage error. A page may be named like its manual page, launch-hosts, an option by its variable.
Result<std::string> topic_text(std::string_view name, bool colour);
Result<std::string> manual_of(std::string_view name);

/// The output of `launch --help`.
Result<std::string> screen_text(bool colour);

}  // namespace launch::guide
