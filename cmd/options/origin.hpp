// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>

namespace launch {

/// Where a value may come from, the weakest first: a stronger layer's value replaces a weaker's.
enum class Layer : uint8_t {
    built_in,     ///< nobody gave it
    site_file,    ///< /etc/launch/config.toml
    user_file,    ///< $XDG_CONFIG_HOME/launch/config.toml
    environment,  ///< LAUNCH_OPT_NAME
    job_file,     ///< launch run --job FILE
    command_line,
};

/// Where one value came from, as its user wrote it.
struct Origin {
    Layer layer = Layer::built_in;
    std::string name;       ///< "-f", "hostfile", "LAUNCH_OPT_HOSTFILE", or a job file's own
    std::string file = {};  ///< of a file's layers
    uint32_t line = 0;      ///< from 1; 0: not of a file
    uint32_t column = 0;
    bool implied = false;  ///< the name is that of another option, which implies the value

    bool operator==(const Origin&) const = default;
};

/// "job.toml:7:12".
std::string place_of(const Origin& origin);

/// The option in a message: "-f", "LAUNCH_OPT_HOSTFILE" or "hostfile (job.toml:7:12)".
std::string named(const Origin& origin);

}  // namespace launch
