// SPDX-License-Identifier: MIT
#pragma once

#include "core/base/error.hpp"
#include "core/wire/spawn_messages.hpp"
#include "modex/pmi2/message.hpp"

namespace launch {

/// PMI-2's spawn, as MPICH sends it and as Hydra and Slurm read it: fields of one message, where
/// those of a program follow its "subcmd":
///
///     ncmds=N;preputcount=N;ppkey0=KEY;ppval0=VALUE;...
///     subcmd=PROGRAM;maxprocs=N;argc=N;argv0=WORD;...;infokeycount=N;infokey0=KEY;infoval0=VALUE;...
///
/// An Error tells by its cause what is wrong, to be put behind the message.
Result<SpawnOrder> pmi2_spawn(const Pmi2Message& message);

}  // namespace launch
