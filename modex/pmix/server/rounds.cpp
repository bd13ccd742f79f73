// SPDX-License-Identifier: MIT
#include "modex/pmix/server/rounds.hpp"

#include <algorithm>
#include <iterator>

#include "modex/pmix/server/info_list.hpp"

namespace launch {
namespace {

constexpr std::chrono::milliseconds to_look{10};

}  // namespace

Rounds::Place Rounds::add(int left, std::function<void()> then) {
    rounds_.emplace_back(shared_from_this(), left, std::move(then));
    return std::prev(rounds_.end());
}

void Rounds::pause(int left, std::function<void()> then) {
    const auto round = add(left, std::move(then));
    round->timer.expires_after(to_look);
    round->timer.async_wait([self = shared_from_this(), round](std::error_code gone) {
        if (!gone && self->inbox_->is_open()) self->ask(round);
    });
}

void Rounds::ask(Place round) {
    const pmix_proc_t nobody = make_proc(inbox_->nspace(), PMIX_RANK_VALID - 1);
    inbox_->lib().PMIx_server_deregister_client(&nobody, answered, &*round);
}

/// On libpmix's thread. The round stays where it is until the executor's thread ends it.
void Rounds::answered(pmix_status_t, void* cookie) {
    const auto* const round = static_cast<const Round*>(cookie);
    round->owner->inbox_->post([round](PmixEvents&) { round->owner->end(round); });
}

void Rounds::end(const Round* round) {
    const auto self = shared_from_this();
    const auto at = std::find_if(rounds_.begin(), rounds_.end(),
                                 [&](const auto& other) { return &other == round; });
    const int left = at->left - 1;
    auto then = std::move(at->then);
    rounds_.erase(at);
    if (left == 0) return then();
    pause(left, std::move(then));
}

void Rounds::close() {
    rounds_.clear();
}

}  // namespace launch
