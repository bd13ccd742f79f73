#pragma once

#include <memory>

#include "core/process/reaper.hpp"
#include "core/transport.hpp"
#include "transports/command/command_template.hpp"

namespace launch {

/// Hosts by a program that starts a command on all of them at once, such as srun: what these say
/// there comes out as one stream, so each relay calls back, over a direct link (transports/direct)
/// that takes the place of its streams. The program hands its standard input to all of them, and
/// on it the key by which they prove themselves (CallbackMessage). Who has seen it can pass for any
/// of these hosts in this start, and for nothing after it.
std::unique_ptr<Transport> make_callback_transport(const any_io_executor& executor, Reaper& reaper,
                                                   CommandTemplate line);

}  // namespace launch
