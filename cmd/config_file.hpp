#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/base/error.hpp"

namespace launch {

/// For `-configfile FILE` and no more, the words of the file's lines, as MPICH's mpiexec has it:
/// each line is what stands between two ':' of a command line, one that begins with '#' is a
/// comment. Other words stay as they are.
Result<std::vector<std::string>> with_config_file(const std::vector<std::string>& words);

/// The words of such a file's text.
Result<std::vector<std::string>> words_of_lines(std::string_view text, const std::string& name);

}  // namespace launch
