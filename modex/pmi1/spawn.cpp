// SPDX-License-Identifier: MIT
#include "modex/pmi1/spawn.hpp"

#include "core/base/number_text.hpp"
#include "modex/front/pmi_error.hpp"
#include "modex/front/spawn_fields.hpp"
#include "modex/pmi1/limits.hpp"

namespace launch {
namespace {

Error wrong(std::string_view line, std::string_view why) {
    return pmi_error("PMI-1", line, why);
}

}  // namespace

SpawnOrder::Program& Pmi1Spawn::program() {
    if (order_.programs.size() <= ended_) order_.programs.emplace_back().argv.emplace_back();
    return order_.programs.back();
}

Result<bool> Pmi1Spawn::add(std::string_view line) {
    size_ += line.size() + 1;
    if (size_ > pmi1_spawn_max)
        return pmi_error("PMI-1",
                         "sent a spawn of more than " + std::to_string(pmi1_spawn_max) + " bytes");
    if (!inside_ && line != "mcmd=spawn")
        return wrong(line, " instead of the next program to spawn");
    program();
    if (line == "endcmd") {
        inside_ = false;
        return ++ended_ >= total_;
    }
    inside_ = true;
    const auto taken = field(line);
    if (!taken) return taken.error();
    return false;
}

Status Pmi1Spawn::field(std::string_view line) {
    const size_t equals = line.find('=');
    if (equals == std::string_view::npos) return wrong(line, ", which is not a field of a spawn");
    const std::string_view name = line.substr(0, equals);
    const std::string_view value = line.substr(equals + 1);
    SpawnOrder::Program& now = program();
    const bool first = order_.programs.size() == 1;
    bool known = true;
    if (name == "totspawns" || name == "nprocs") {
        const auto number = parse_number<uint32_t>(value);
        if (!number) return wrong(line, ", which is not a count");
        (name == "nprocs" ? now.ranks : total_) = *number;
    } else if (name == "execname") {
        now.argv.front() = value;
    } else if (is_numbered(name, "arg")) {
        now.argv.emplace_back(value);
    } else if (is_numbered(name, "info_key_")) {
        now.info.emplace_back(value, "");
    } else if (is_numbered(name, "info_val_")) {
        known = set_last_value(now.info, value);
    } else if (is_numbered(name, "preput_key_") && first) {
        order_.cards.emplace_back(value, "");
    } else if (is_numbered(name, "preput_val_") && first) {
        known = set_last_value(order_.cards, value);
    }
    if (!known) return wrong(line, ", a value that has no key");
    return Ok{};
}

Result<SpawnOrder> Pmi1Spawn::take() {
    for (const auto& each : order_.programs) {
        if (each.argv.front().empty()) return wrong("mcmd=spawn", ", which lacks execname=");
        if (each.ranks == 0) return wrong("mcmd=spawn", " of no processes");
    }
    return std::move(order_);
}

}  // namespace launch
