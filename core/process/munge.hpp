// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "core/base/error.hpp"

namespace launch {

/// Secrets between processes of this user on the hosts of a cluster whose MUNGE daemons share a key
/// (munge(7)), as Slurm's mostly do: encrypted by that key, and opened by the daemons for this user
/// only. By libmunge, which is opened when this is first called; both calls wait for the daemon of
/// this host, some seconds at most.

/// Returns one line without its end; nothing where there is no MUNGE, or the text exceeds 1 MiB.
std::optional<std::string> munge_sealed(std::string_view text);

bool is_munge_sealed(std::string_view line);

/// Opens a line of munge_sealed(), made by this user on any host of the cluster at any time.
Result<std::string> munge_opened(const std::string& line);

}  // namespace launch
