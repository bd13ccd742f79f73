// SPDX-License-Identifier: MIT
#include "transports/direct/peer_keys.hpp"

#include "core/base/random.hpp"

namespace launch {

void PeerKeys::make_own() {
    if (!own_) own_ = KeyPair::make(random_bytes(public_key_size));
}

std::optional<std::string> PeerKeys::shared_with(const std::string& public_key) const {
    return own_ ? own_->shared_with(public_key) : std::nullopt;
}

void PeerKeys::know(const std::vector<Contact>& nodes) {
    knows_ = true;
    know_joined(nodes);
}

void PeerKeys::know_joined(const std::vector<Contact>& nodes) {
    for (const Contact& contact : nodes)
        if (!contact.public_key.empty()) public_keys_[contact.node] = contact.public_key;
}

void PeerKeys::forget(NodeRange nodes) {
    erase_nodes(public_keys_, nodes);
}

const std::string* PeerKeys::find(NodeIndex node) const {
    const auto at = public_keys_.find(node);
    return at == public_keys_.end() ? nullptr : &at->second;
}

}  // namespace launch
