#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/error.hpp"

namespace launch {

/// One program a rank wants started: one "mcmd=spawn" to "endcmd".
struct Pmi1Spawn {
    uint32_t processes = 0;
    std::string program;
    std::vector<std::string> arguments;
    std::vector<std::pair<std::string, std::string>> preputs;  ///< to be in the new job's store
    std::vector<std::pair<std::string, std::string>> infos;

    bool operator==(const Pmi1Spawn&) const = default;
};

/// Reads the lines of one spawn: as many "mcmd=spawn" to "endcmd" as the first says (totspawns).
class Pmi1SpawnReader {
  public:
    /// Lines after the "mcmd=spawn" that began it, and those between programs. True: that was the
    /// last.
    Result<bool> add(std::string_view line);

    std::vector<Pmi1Spawn> take() { return std::move(spawns_); }

  private:
    Status field(std::string_view name, std::string_view value);
    Status indexed(std::string_view name, std::string_view value);
    Result<bool> end_program();

    std::vector<Pmi1Spawn> spawns_;
    Pmi1Spawn spawn_;
    bool inside_ = true;  ///< of a program, that is not between two of them
    uint32_t total_ = 1;
    uint32_t argument_count_ = 0;
    size_t size_ = 0;
};

}  // namespace launch
