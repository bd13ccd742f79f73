// SPDX-License-Identifier: MIT
// What a build without libpmix's headers has instead of pmix_event.cpp: no node of it reads events.
#include "tests/fuzz/targets.hpp"

void launch::fuzz::pmix_event(std::string_view) {}
