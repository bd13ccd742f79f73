// SPDX-License-Identifier: MIT
#include "core/head/ground_hosts.hpp"

#include <algorithm>

#include "core/head/spawn_spec.hpp"

namespace launch {

GroundHosts::GroundHosts(const std::vector<Host>& tree, const std::vector<Host>& idle) {
    NodeIndex node = 0;
    for (const Host& host : tree)
        entries_.push_back({host, State::in_tree, ++node});
    for (const Host& host : idle)
        entries_.push_back({host});
}

GroundHosts::Added GroundHosts::add(const std::vector<Host>& hosts, const std::string& own_name) {
    Added added{entries_.size(), {}};
    for (const Host& host : hosts) {
        const auto known = find(host, own_name);
        if (!known) {
            entries_.push_back({host});
        } else if (entries_[*known].state == State::gone) {
            entries_[*known].state = State::idle;
            added.revived.push_back(*known);
        }
    }
    return added;
}

void GroundHosts::undo(const Added& added) {
    for (const uint32_t place : added.revived)
        if (entries_[place].state == State::idle) entries_[place].state = State::gone;
    while (entries_.size() > added.first && entries_.back().state == State::idle &&
           entries_.back().used == 0)
        entries_.pop_back();
}

std::optional<uint32_t> GroundHosts::find(const Host& wanted, const std::string& own_name) const {
    for (uint32_t place = 0; place < entries_.size(); ++place)
        if (is_wanted(entries_[place].host, wanted, own_name)) return place;
    return std::nullopt;
}

GroundHosts::Offer GroundHosts::offer(const std::function<bool(const Entry&)>& may_use) const {
    Offer offer;
    for (uint32_t place = 0; place < entries_.size(); ++place) {
        const Entry& entry = entries_[place];
        if (entry.state == State::gone) continue;
        if (entry.state == State::in_tree && !may_use(entry)) continue;
        offer.hosts.push_back(entry.host);
        offer.used.push_back(entry.used);
        offer.places.push_back(place);
    }
    return offer;
}

void GroundHosts::count(const Placement& placement, const std::vector<uint32_t>& places, int sign) {
    for (size_t i = 0; i < places.size(); ++i) {
        const uint32_t ranks = local_size(placement.node(i));
        uint32_t& used = entries_[places[i]].used;
        used = sign > 0 ? used + ranks : used - ranks;
    }
}

std::vector<uint32_t> GroundHosts::idle(const std::vector<uint32_t>& places) const {
    std::vector<uint32_t> idle;
    std::copy_if(places.begin(), places.end(), std::back_inserter(idle),
                 [this](uint32_t place) { return entries_[place].state == State::idle; });
    return idle;
}

void GroundHosts::joins(uint32_t place, NodeIndex node) {
    entries_[place].state = State::in_tree;
    entries_[place].node = node;
}

void GroundHosts::leaves(uint32_t place) {
    entries_[place].state = State::gone;
    entries_[place].node = 0;
}

void GroundHosts::lose(const std::function<bool(NodeIndex)>& is_lost) {
    for (uint32_t place = 0; place < entries_.size(); ++place)
        if (entries_[place].state == State::in_tree && is_lost(entries_[place].node)) leaves(place);
}

}  // namespace launch
