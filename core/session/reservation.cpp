// SPDX-License-Identifier: MIT
#include "core/session/reservation.hpp"

#include <algorithm>
#include <utility>

#include "core/session/offered_hosts.hpp"

namespace launch {
namespace {

bool has_one_up(const SessionState& session, const std::vector<NodeIndex>& nodes) {
    return std::any_of(session.hosts.begin(), session.hosts.end(), [&](const SessionHost& host) {
        const bool is_wished = std::find(nodes.begin(), nodes.end(), host.node) != nodes.end();
        return is_wished && host.takes_jobs();
    });
}

}  // namespace

awaitable<Result<std::optional<JobNumber>>> reserve_slots_of(SessionTalk& talk,
                                                             const SessionPlan& made, bool shares) {
    SessionRequest request = ReserveRequest{made.nodes.parts(made.plan.placement), shares};
    const auto answer = co_await talk.ask(std::move(request));
    if (!answer) co_return answer.error();
    if (answer->kind != SessionAnswer::Kind::done) co_return std::optional<JobNumber>();
    co_return std::optional(answer->job);
}

awaitable<Result<SessionPlan>> reserve_slots(SessionTalk& talk, SessionState& state, SlotWish wish,
                                             const Factories& factories) {
    enum class Waiting : uint8_t { not_yet, in_queue, told };
    auto waiting = Waiting::not_yet;
    for (;;) {
        auto made = plan_in_session(wish.spec, wish.choice, state, factories);
        const bool fits = static_cast<bool>(made);
        const Error full = no_room(state);
        if (!fits && made.error() != full) co_return made;
        if (fits) {
            const auto number = co_await reserve_slots_of(talk, *made, wish.choice.shares);
            if (!number) co_return number.error();
            if (*number) {
                made->number = **number;
                co_return made;
            }
        }
        auto wished = wished_in_session(wish.spec, wish.choice, state);
        if (!fits && !(wish.waits && has_one_up(state, wished))) co_return full;
        if (!fits && waiting == Waiting::in_queue) {
            waiting = Waiting::told;
            if (wish.waiting) wish.waiting(full);
        }
        auto changed = co_await talk.wait_for_slots(std::move(wished));
        if (!changed) co_return std::move(changed.error());
        state = *std::move(changed);
        if (waiting == Waiting::not_yet) waiting = Waiting::in_queue;
    }
}

}  // namespace launch
