// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <string>

#include "core/process/reaper.hpp"
#include "core/process/removal_list.hpp"
#include "core/transport.hpp"
#include "transports/command/command_template.hpp"

namespace launch {

struct CallbackSettings {
    CommandTemplate line;
    /// Which all hosts see, for a program that hands no standard input on; empty: the user's home.
    std::string folder;
    RemovalList* to_remove = nullptr;  ///< null: there is no guard
};

/// Hosts by a program that starts a command on all of them at once, such as srun: what these say
/// there comes out as one stream, so each relay calls back, over a direct link (transports/direct)
/// that takes the place of its streams. The program hands its standard input to all of them, and
/// on it the key by which they prove themselves (CallbackMessage). Who has seen it can pass for any
/// of these hosts in this start, and for nothing after it.
///
/// Of a program that hands nothing on, as pbsdsh, the relays read the same in a file (CallFile),
/// and as their words go to the job's own output, it is their exit codes that say why one fails.
std::unique_ptr<Transport> make_callback_transport(const any_io_executor& executor, Reaper& reaper,
                                                   CallbackSettings settings);

}  // namespace launch
