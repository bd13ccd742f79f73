// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "cmd/options/row.hpp"
#include "core/base/error.hpp"

namespace launch::guide {

/// Topic names, in the order to show them.
std::vector<std::string_view> topic_names();

/// The same with what each is about.
std::vector<ChoiceWord> topic_words();

/// Of a page's name: a topic's, a command's, "launch" for launch(1), or an option: as it is typed,
/// or, where no page has that name, without its dashes or by its key. What there is not is a usage
/// error. A page may be named as its manual page is, launch-hosts, an option by its variable.
Result<std::string> topic_text(std::string_view name, bool colour);
Result<std::string> manual_of(std::string_view name);

/// What `launch --help` prints.
Result<std::string> screen_text(bool colour);

}  // namespace launch::guide
