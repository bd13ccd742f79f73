// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "transports/direct/link_keys.hpp"

namespace launch {

inline DirectLinkSettings head_of_job(const std::string& job = "job", char key = 'k') {
    DirectLinkSettings made;
    made.job_id = job;
    made.job_key = std::string(link_key_size, key);
    made.own = {std::string(link_key_size, key), {{0, 100}}};
    return made;
}

/// A node that was given a key by its parent.
inline DirectLinkSettings child_of(const DirectLinkSettings& parent, NodeRange block) {
    DirectLinkSettings made = parent;
    made.self = block.first;
    made.own.key = LinkKeys(parent).key_of(block).value_or("");
    made.own.lineage.push_back(block);
    return made;
}

/// One node's keys, and what it says of itself.
struct Keyholder {
    explicit Keyholder(const DirectLinkSettings& settings)
        : keys(settings), contact{settings.self, "127.0.0.1", 1, keys.public_key()} {}

    LinkKeys keys;
    Contact contact;
};

}  // namespace launch
