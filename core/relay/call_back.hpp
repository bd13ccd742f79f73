#pragma once

#include <memory>

#include "core/factories.hpp"
#include "core/transport.hpp"

namespace launch {

/// `launch --relay --call-back`: a relay that was started with many others by one command, whose
/// streams are no link. Reads a CallbackMessage from standard input, and calls who sent it over a
/// direct link that takes the streams' place. An error where no call came, or nobody answers; it is
/// for standard error, which whoever runs the command shows.
awaitable<Result<std::unique_ptr<ByteStream>>> call_back(any_io_executor executor,
                                                         const Factories& factories);

}  // namespace launch
