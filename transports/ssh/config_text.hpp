// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/error.hpp"
#include "core/base/file_text.hpp"
#include "transports/ssh/file_permissions.hpp"
#include "transports/ssh/ssh_user.hpp"

namespace launch {

/// One line of an ssh_config(5) that says something.
struct ConfigLine {
    std::string keyword;  ///< in lower case
    std::vector<std::string> words;
    std::vector<ConfigLine> included;  ///< for "include": the files' lines, in order
    /// For "include": not all was read. It goes too deep or too far, or its name has what only ssh
    /// knows.
    bool unread = false;
    /// For "include": files that must not be read, as others may have written them, or cannot be.
    std::vector<Error> faults;
};

/// A config file, and where the relative names of its Includes begin.
struct ConfigSource {
    std::string path;
    std::string include_folder;
    /// Nobody but the user and root may have written it, as ssh demands of ~/.ssh/config and of
    /// whatever any file includes.
    bool guarded = false;
};

/// The config files to read: the user's and the system's; or only the one that was asked for
/// ("none": no file), as with ssh -F.
std::vector<ConfigSource> ssh_config_sources(const std::string& asked_for, const std::string& home);

/// The config file that was asked for, or nothing where this machine has none of that name: a relay
/// then reaches hosts as its own user's config says.
std::string ssh_config_here(const std::string& asked_for);

/// A config file as it is on this machine.
struct ConfigFile {
    FileText text;
    FilePermissions permissions;
};

/// How the parser gets at files; tests give their own.
struct ConfigFiles {
    SshUser user;  ///< who reads them
    std::function<ConfigFile(const std::string& path)> read;
    /// The files that a glob(7) pattern names.
    std::function<std::vector<std::string>(const std::string& pattern)> glob;
};

/// The lines of these files, one file after another, each file an "include". A file that is not
/// there has no lines.
std::vector<ConfigLine> read_ssh_config(const std::vector<ConfigSource>& sources,
                                        const ConfigFiles& files);

/// Keyword and words of a line: `=` may follow the keyword, quotes are removed, `#` begins a
/// comment. Empty for a line that says nothing.
std::vector<std::string> split_config_line(std::string_view line);

/// Files as they are on this machine.
ConfigFiles real_config_files(SshUser user);

}  // namespace launch
