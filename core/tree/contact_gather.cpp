#include "core/tree/contact_gather.hpp"

#include <algorithm>

namespace launch {

void ContactGather::account(NodeIndex node) {
    const NodeIndex at = node - first_;
    if (node < first_ || at >= known_.size() || known_[at]) return;
    known_[at] = true;
    ++accounted_;
}

void ContactGather::add(const std::vector<Contact>& contacts) {
    for (const Contact& contact : contacts) {
        account(contact.node);
        const auto [at, added] = contacts_.emplace(contact.node, contact);
        if (!added && (contact.node == 0 || at->second == contact)) continue;
        at->second = contact;
        fresh_[contact.node] = contact;
    }
}

void ContactGather::missing(NodeIndex first, NodeIndex count) {
    const auto size = static_cast<NodeIndex>(known_.size());
    for (NodeIndex i = 0; i < std::min(count, size); ++i)
        account(first + i);
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
