// SPDX-License-Identifier: MIT
#include "core/tree/contact_gather.hpp"

namespace launch {

void ContactGather::add(const std::vector<Contact>& contacts) {
    for (const Contact& contact : contacts) {
        settled_.add({contact.node, 1});
        const auto [at, added] = contacts_.emplace(contact.node, contact);
        if (!added && (contact.node == 0 || at->second == contact)) continue;
        at->second = contact;
        fresh_[contact.node] = contact;
    }
}

void ContactGather::forget(NodeRange nodes) {
    erase_nodes(contacts_, nodes);
    erase_nodes(fresh_, nodes);
}

std::vector<Contact> ContactGather::take() {
    std::vector<Contact> contacts;
    if (!complete()) return contacts;
    for (auto& [node, contact] : fresh_)
        contacts.push_back(std::move(contact));
    fresh_.clear();
    return contacts;
}

const Contact* ContactGather::find(NodeIndex node) const {
    const auto at = contacts_.find(node);
    return at == contacts_.end() ? nullptr : &at->second;
}

}  // namespace launch
