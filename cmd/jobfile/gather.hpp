// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "cmd/options/scan.hpp"
#include "cmd/options/settings.hpp"
#include "cmd/options/table.hpp"
#include "core/base/mistakes.hpp"

namespace launch {

/// Where settings are looked for, beside the command line and the job file that it names.
struct SettingsPlaces {
    std::string site_file;
    std::string user_file;         ///< empty: the user has none
    std::vector<std::string> env;  ///< "NAME=VALUE"
    std::string wdir;              ///< below which relative paths are; empty: it was removed
};

/// The places of this machine and user: /etc/launch/config.toml and
/// $XDG_CONFIG_HOME/launch/config.toml (XDG Base Directory Specification: by default in ~/.config).
SettingsPlaces usual_places(std::vector<std::string> env, std::string wdir);

/// The result of all layers, or all mistakes in any of them, the command line first.
struct Gathered {
    Settings settings;
    Mistakes mistakes;
    std::vector<std::string> notes;
};

/// Reads files, the environment and the words of the command line, and lets the strongest win. A
/// file of configuration that is not there says nothing, one that may not be read adds a note; a
/// job file must be there. Words that ask for help, the version or --init have no files read.
/// `table`: the options of files and of the environment.
Gathered gather_settings(const std::vector<std::string>& words, const WordRules& rules,
                         const SettingsPlaces& places, OptionTable table = all_options());

}  // namespace launch
