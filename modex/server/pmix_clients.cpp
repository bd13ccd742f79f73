// SPDX-License-Identifier: MIT
#include "modex/server/pmix_clients.hpp"

namespace launch {

PmixClients::State PmixClients::state(uint32_t rank) const {
    const auto at = clients_.find(rank);
    return at == clients_.end() ? State::absent : at->second.state;
}

std::set<uint32_t> PmixClients::in(State state) const {
    std::set<uint32_t> ranks;
    for (const auto& [rank, client] : clients_)
        if (client.state == state) ranks.insert(rank);
    return ranks;
}

bool PmixClients::join(uint32_t rank) {
    const bool alone = state(rank) != State::joined;
    clients_[rank] = {State::joined, ++joins_};
    return alone;
}

void PmixClients::finalize(uint32_t rank) {
    clients_[rank] = {State::finalized, joins_};
}

void PmixClients::fence() {
    for (auto& [rank, client] : clients_)
        if (client.state == State::joined) client.heard_at = joins_;
}

bool PmixClients::end(uint32_t rank) {
    const auto at = clients_.find(rank);
    if (at == clients_.end()) return false;
    State& state = at->second.state;
    const bool unfinished = state == State::joined;
    if (unfinished) state = State::vanished;
    if (state == State::expected) state = State::absent;
    return unfinished;
}

bool PmixClients::can_be_taken_out(uint32_t rank) const {
    const auto ended = clients_.find(rank);
    const uint64_t heard_at = ended == clients_.end() ? 0 : ended->second.heard_at;
    if (heard_at == 0) return true;
    if (heard_at != joins_) return false;
    bool others = false;
    for (const auto& [other, client] : clients_) {
        if (client.state == State::expected) return false;
        others = others || client.state == State::joined;
    }
    return others;
}

}  // namespace launch
