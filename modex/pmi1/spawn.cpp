#include "modex/pmi1/spawn.hpp"

#include "core/base/number_text.hpp"
#include "modex/front/pmi_error.hpp"
#include "modex/pmi1/limits.hpp"

namespace launch {
namespace {

constexpr std::string_view programs = "totspawns=";

}  // namespace

Result<bool> Pmi1Spawn::add(std::string_view line) {
    size_ += line.size() + 1;
    if (size_ > pmi1_spawn_max)
        return pmi_error("PMI-1",
                         "sent a spawn of more than " + std::to_string(pmi1_spawn_max) + " bytes");
    if (!inside_ && line != "mcmd=spawn")
        return pmi_error("PMI-1", line, ", where another program to spawn was to come");
    if (line == "endcmd") {
        inside_ = false;
        return ++ended_ >= total_;
    }
    if (line.find('=') == std::string_view::npos)
        return pmi_error("PMI-1", line, ", which is no field of a spawn");
    inside_ = true;
    if (!line.starts_with(programs)) return false;
    const auto total = parse_number<uint32_t>(line.substr(programs.size()));
    if (!total) return pmi_error("PMI-1", line, ", which is no number of programs to spawn");
    total_ = *total;
    return false;
}

}  // namespace launch
