// SPDX-License-Identifier: MIT
#include "core/session/slot_queue.hpp"

#include <algorithm>
#include <utility>

namespace launch {

const SlotQueue::Entry* SlotQueue::find(Client client) const {
    const auto at = std::find_if(entries_.begin(), entries_.end(),
                                 [client](const Entry& entry) { return entry.client == client; });
    return at == entries_.end() ? nullptr : &*at;
}

SlotQueue::Entry* SlotQueue::find(Client client) {
    return const_cast<Entry*>(std::as_const(*this).find(client));
}

bool SlotQueue::wait(Client client, const std::vector<NodeIndex>& wished) {
    Entry* known = find(client);
    const bool is_new = known == nullptr;
    if (is_new) known = &entries_.emplace_back(Entry{client, {}, State::waits, {}});
    known->wished = {wished.begin(), wished.end()};
    known->state = State::waits;
    return is_new;
}

void SlotQueue::tell(Client client, Clock::time_point deadline) {
    Entry* known = find(client);
    if (known == nullptr) return;
    known->state = State::chooses;
    known->deadline = deadline;
}

bool SlotQueue::leave(Client client) {
    return std::erase_if(entries_,
                         [client](const Entry& entry) { return entry.client == client; }) > 0;
}

bool SlotQueue::pass_over(Clock::time_point now) {
    bool any = false;
    for (Entry& entry : entries_) {
        if (entry.state != State::chooses || now < entry.deadline) continue;
        entry.state = State::is_stopped;
        any = true;
    }
    return any;
}

Clock::time_point SlotQueue::next_deadline() const {
    auto next = Clock::time_point::max();
    for (const Entry& entry : entries_)
        if (entry.state == State::chooses) next = std::min(next, entry.deadline);
    return next;
}

bool SlotQueue::waits(Client client) const {
    const Entry* known = find(client);
    return known != nullptr && known->state == State::waits;
}

std::set<NodeIndex> SlotQueue::kept_from(Client client) const {
    std::set<NodeIndex> nodes;
    for (const Entry& entry : entries_) {
        if (entry.client == client) break;
        if (entry.state != State::is_stopped)
            nodes.insert(entry.wished.begin(), entry.wished.end());
    }
    return nodes;
}

std::set<SlotQueue::Client> SlotQueue::helped(const std::function<bool(NodeIndex)>& is_free) const {
    std::set<Client> clients;
    std::set<NodeIndex> kept;
    const auto helps = [&](NodeIndex node) { return !kept.contains(node) && is_free(node); };
    for (const Entry& entry : entries_) {
        const auto& wished = entry.wished;
        if (entry.state == State::waits && std::any_of(wished.begin(), wished.end(), helps))
            clients.insert(entry.client);
        if (entry.state != State::is_stopped) kept.insert(wished.begin(), wished.end());
    }
    return clients;
}

std::vector<SlotQueue::Client> SlotQueue::all() const {
    std::vector<Client> clients;
    clients.reserve(entries_.size());
    for (const Entry& entry : entries_)
        clients.push_back(entry.client);
    return clients;
}

}  // namespace launch
