#pragma once

#include <string>
#include <vector>

namespace launch {

/// `launch completion SHELL`: prints the script for a shell. Returns the exit code.
int start_completion(const std::vector<std::string>& words);

/// `launch __complete WORDS...`, which those scripts call: how the last word can go on. Lines of
/// "WORD<tab>HELP", then one that says what the shell adds of its own: ":nothing", ":files",
/// ":folders" or ":command N", N being the place of the program among the words.
int start_complete(const std::vector<std::string>& words);

}  // namespace launch
