// SPDX-License-Identifier: MIT
// Accidents that strike where certain messages go by.

#include <array>

#include "core/link/patience.hpp"
#include "tests/unit/core/harness/accidents.hpp"

namespace launch {

void Accidents::aim(uint32_t count, std::set<FrameType> also) {
    constexpr auto types = std::to_array(
        {FrameType::hello,    FrameType::subtree,     FrameType::job,      FrameType::nodes_up,
         FrameType::failure,  FrameType::exits,       FrameType::output,   FrameType::input,
         FrameType::signal,   FrameType::terminate,   FrameType::finish,   FrameType::modex,
         FrameType::attach,   FrameType::attach,      FrameType::attached, FrameType::attached,
         FrameType::resend,   FrameType::ack,         FrameType::bye,      FrameType::assignment,
         FrameType::released, FrameType::gained,      FrameType::contacts, FrameType::routes,
         FrameType::routed,   FrameType::start_ranks, FrameType::unready,  FrameType::dismissed,
         FrameType::end_job,  FrameType::spawn,       FrameType::spawned,  FrameType::grow,
         FrameType::remove,   FrameType::left,        FrameType::moved,    FrameType::credit});
    aims_left_ = count;
    targets_ = std::move(also);
    for (uint32_t few = 1 + draw_(6); few > 0; --few)
        targets_.insert(types[draw_(types.size())]);
    // Where a tree heals, there is more to disturb.
    targets_.insert({FrameType::nodes_up, FrameType::attach});
    aim_again();
    network_.watch = [this, other = network_.watch](Cable& cable, Cable::Side from,
                                                    FrameType type) {
        const auto at = other ? other(cable, from, type) : std::nullopt;
        return at ? at : pass(cable, from, type);
    };
}

void Accidents::aim_again() {
    pass_ = draw_(draw_(2) == 0 ? 3 : 20);
}

std::optional<Break::At> Accidents::pass(const Cable& cable, Cable::Side from, FrameType type) {
    if (aims_left_ == 0 || !targets_.contains(type) || pass_-- > 0) return std::nullopt;
    --aims_left_;
    aim_again();
    if (!happens()) return std::nullopt;
    note(("at " + std::string(name_of(type))).c_str(), from == Cable::Side::a ? 0 : 1);
    return strike_at(cable, from);
}

/// The head, and a node that a test plays, are not killed.
std::optional<Break::At> Accidents::strike_at(const Cable& cable, Cable::Side from) {
    const uint32_t what = draw_(10);
    // Nothing happens in the midst of what somebody does.
    if (what > 7) {
        asio::post(network_.executor, [this] { act(); });
        return std::nullopt;
    }
    were_brief_ = false;
    may_cost_hosts();
    if (what < 2) return what == 0 ? Break::At::middle : Break::At::end;
    const Process* const process =
        network_.user_of(cable, draw_(2) == 0 ? from : Cable::other(from));
    const bool may_fall = process != nullptr && process->node != 0 && process->lives();
    if (!may_fall) return Break::At::end;
    const NodeIndex node = process->node;
    if (what < 5) {
        asio::post(network_.executor, [this, node] { kill(node); });
    } else {
        asio::post(network_.executor, [this, node] { freeze(node); });
        let_go_after(milliseconds{draw_(3000)} +
                     (what == 5 ? patience::come_back : milliseconds{0}));
    }
    return std::nullopt;
}

}  // namespace launch
