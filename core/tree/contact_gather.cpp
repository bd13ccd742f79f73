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
    if (nodes.count == 0) return;
    const NodeIndex last = nodes.first + (nodes.count - 1);
    for (auto* contacts : {&contacts_, &fresh_})
        contacts->erase(contacts->lower_bound(nodes.first), contacts->upper_bound(last));
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
