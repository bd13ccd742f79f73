#pragma once

#include <cstdint>
#include <string_view>

#include "core/base/error.hpp"

namespace launch {

/// Finds the end of a request to spawn, which is refused as a whole: as many times "mcmd=spawn" to
/// "endcmd" as it says (totspawns), a line for each field.
class Pmi1Spawn {
  public:
    /// Lines after the "mcmd=spawn" that began it. True: that was the last.
    Result<bool> add(std::string_view line);

  private:
    bool inside_ = true;  ///< of a program, that is not between two of them
    uint32_t total_ = 1;  ///< programs
    uint32_t ended_ = 0;
    size_t size_ = 0;
};

}  // namespace launch
