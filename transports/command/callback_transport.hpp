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

/// Starts hosts by a program that runs a command on all of them at once, such as srun. Their output
/// comes out as one stream, so each relay calls back, over a direct link (transports/direct) that
/// replaces its streams. The program passes its standard input to all of them, and with it the key
/// that proves their identity (CallbackMessage). A process that has seen it can pass for any of
/// these hosts in this start, and for nothing after it.
///
/// If the program passes no input on, such as pbsdsh, the relays read the same message in a file
/// (CallFile), and because their messages go to the job's own output, their exit codes tell why one
/// fails.
std::unique_ptr<Transport> make_callback_transport(const any_io_executor& executor, Reaper& reaper,
                                                   CallbackSettings settings);

}  // namespace launch
