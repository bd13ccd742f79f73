// SPDX-License-Identifier: MIT
// What a host says of itself to `launch doctor`.
#include "cmd/doctor/host_facts.hpp"
#include "tests/fuzz/targets.hpp"

namespace launch {

void fuzz::facts(std::string_view bytes) {
    const auto facts = read_facts(bytes);
    if (!facts) return;
    const auto text = facts_text(*facts);
    const auto again = read_facts(text);
    require(again && facts_text(*again) == text, "is read as it was written");
}

}  // namespace launch
