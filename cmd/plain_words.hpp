#pragma once

#include <CLI/App.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/error.hpp"

namespace launch {

/// Has CLI11 read the words after a subcommand's name. Returns those that the app has no place for
/// and that are no options; an unknown option is an error.
Result<std::vector<std::string>> read_plain_words(CLI::App& app, std::string_view subcommand,
                                                  std::vector<std::string> words);

}  // namespace launch
