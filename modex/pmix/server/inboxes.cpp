// SPDX-License-Identifier: MIT
#include "modex/pmix/server/inboxes.hpp"

#include <algorithm>

namespace launch {

Inboxes& inboxes() {
    static Inboxes all_of_them;
    return all_of_them;
}

void Inboxes::add(std::shared_ptr<Inbox> inbox) {
    const std::lock_guard lock(mutex_);
    by_nspace_[inbox->nspace()] = std::move(inbox);
}

bool Inboxes::is_known(const std::string& nspace) const {
    return by_nspace_.contains(nspace) || met_.contains(nspace);
}

std::vector<std::string> Inboxes::remove(const Inbox& inbox) {
    const std::lock_guard lock(mutex_);
    by_nspace_.erase(inbox.nspace());
    std::vector<std::string> strangers;
    for (auto at = met_.begin(); at != met_.end();) {
        if (at->second.get() != &inbox) {
            ++at;
            continue;
        }
        const std::string nspace = at->first;
        at = met_.erase(at);
        if (!is_known(nspace)) strangers.push_back(nspace);
    }
    return strangers;
}

std::shared_ptr<Inbox> Inboxes::find(const std::string& nspace) const {
    const std::lock_guard lock(mutex_);
    const auto at = by_nspace_.find(nspace);
    return at == by_nspace_.end() ? nullptr : at->second;
}

std::shared_ptr<Inbox> Inboxes::find_acquaintance(const std::string& nspace) const {
    const std::lock_guard lock(mutex_);
    const auto at = met_.find(nspace);
    return at == met_.end() ? nullptr : at->second;
}

std::vector<std::shared_ptr<Inbox>> Inboxes::all() const {
    const std::lock_guard lock(mutex_);
    std::vector<std::shared_ptr<Inbox>> inboxes;
    for (const auto& [nspace, inbox] : by_nspace_)
        inboxes.push_back(inbox);
    return inboxes;
}

bool Inboxes::meet(const std::shared_ptr<Inbox>& inbox, const std::string& nspace) {
    const std::lock_guard lock(mutex_);
    const bool is_new = !is_known(nspace);
    met_.emplace(nspace, inbox);
    return is_new;
}

bool Inboxes::part(const Inbox& inbox, const std::string& nspace) {
    const std::lock_guard lock(mutex_);
    const auto [first, last] = met_.equal_range(nspace);
    const auto at =
        std::find_if(first, last, [&](const auto& each) { return each.second.get() == &inbox; });
    if (at == last) return false;
    met_.erase(at);
    return !is_known(nspace);
}

}  // namespace launch
