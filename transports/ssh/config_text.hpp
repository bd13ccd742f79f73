#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace launch {

/// One line of an ssh_config(5) that says something.
struct ConfigLine {
    std::string keyword;  ///< in lower case
    std::vector<std::string> words;
    std::vector<ConfigLine> included;  ///< for "include": the files' lines, in order
    bool endless = false;  ///< for "include": not all was read, it goes too deep or too far
};

/// A config file, and where the relative names of its Includes begin.
struct ConfigSource {
    std::string path;
    std::string include_folder;
};

/// How the parser gets at files; tests give their own.
struct ConfigFiles {
    /// The text, or nothing where the file cannot be read.
    std::function<std::optional<std::string>(const std::string& path)> read;
    /// The files that a glob(7) pattern names.
    std::function<std::vector<std::string>(const std::string& pattern)> glob;
    std::string home;  ///< for `~` in an Include
};

/// The lines of these files, one file after another. A file that is not there has none.
std::vector<ConfigLine> read_ssh_config(const std::vector<ConfigSource>& sources,
                                        const ConfigFiles& files);

/// Keyword and words of a line: `=` may follow the keyword, quotes are removed, `#` begins a
/// comment. Empty for a line that says nothing.
std::vector<std::string> split_config_line(std::string_view line);

/// Files as they are on this machine.
ConfigFiles real_config_files(std::string home);

}  // namespace launch
