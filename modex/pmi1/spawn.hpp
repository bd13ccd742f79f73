// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string_view>

#include "core/base/error.hpp"
#include "core/wire/spawn_messages.hpp"

namespace launch {

/// A request to spawn, as MPICH sends it: for each program "mcmd=spawn", a line for each field, and
/// "endcmd"; as many times as it says (totspawns). Lines of a program, by their names:
///
///     nprocs=N  execname=PROGRAM  argN=WORD  info_key_N=KEY  info_val_N=VALUE
///     preput_key_N=KEY  preput_val_N=VALUE       what new processes find in their key-value space
///
/// and counts of these (argcnt, info_num, preput_num, spawnssofar), which lines tell by themselves.
/// MPICH sends the preput with each program; it is the same, and counts once.
class Pmi1Spawn {
  public:
    /// Lines after the "mcmd=spawn" that began it. True: that was the last.
    Result<bool> add(std::string_view line);
    /// Then. An Error: a program lacks its name or its number of processes.
    Result<SpawnOrder> take();

  private:
    Status field(std::string_view line);
    SpawnOrder::Program& program();

    bool inside_ = true;  ///< of a program, that is not between two of them
    uint32_t total_ = 1;  ///< programs
    uint32_t ended_ = 0;
    size_t size_ = 0;
    SpawnOrder order_;
};

}  // namespace launch
