// SPDX-License-Identifier: MIT
#include "modex/pmi2/spawn.hpp"

#include "core/base/number_text.hpp"
#include "modex/front/spawn_fields.hpp"

namespace launch {
namespace {

Error wrong(std::string cause) {
    Error error;
    error.cause = std::move(cause);
    return error;
}

/// False: it stands where it means nothing.
bool take_field(SpawnOrder& order, std::string_view name, const std::string& value) {
    if (is_numbered(name, "ppkey")) order.cards.emplace_back(value, "");
    if (is_numbered(name, "ppval")) return set_last_value(order.cards, value);
    if (name == "subcmd") order.programs.emplace_back().argv.push_back(value);
    const bool of_program = is_numbered(name, "argv") || is_numbered(name, "infokey") ||
                            is_numbered(name, "infoval") || name == "maxprocs";
    if (!of_program) return true;
    if (order.programs.empty()) return false;
    SpawnOrder::Program& now = order.programs.back();
    if (is_numbered(name, "argv")) now.argv.push_back(value);
    if (is_numbered(name, "infokey")) now.info.emplace_back(value, "");
    if (is_numbered(name, "infoval")) return set_last_value(now.info, value);
    if (name == "maxprocs") now.ranks = parse_number<uint32_t>(value).value_or(0);
    return true;
}

}  // namespace

Result<SpawnOrder> pmi2_spawn(const Pmi2Message& message) {
    SpawnOrder order;
    for (const auto& [name, value] : message.fields())
        if (!take_field(order, name, value))
            return wrong(", in which " + std::string(name) + " is not allowed at that position");
    if (order.programs.empty()) return wrong(", which lacks subcmd=");
    for (const auto& each : order.programs) {
        if (each.argv.front().empty()) return wrong(", whose subcmd is empty");
        if (each.ranks == 0) return wrong(" of no processes");
    }
    return order;
}

}  // namespace launch
