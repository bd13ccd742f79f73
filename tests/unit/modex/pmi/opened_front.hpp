// SPDX-License-Identifier: MIT
#pragma once

#include <gtest/gtest.h>
#include <string>
#include <string_view>

#include "modex/front/front.hpp"

namespace launch {

/// The rank that speaks in the tests of fronts.
inline RankFacts rank_facts() {
    return {3, 8, 1, 16, "kvs", "(vector,(0,4,2))", {}};
}

/// A front of that rank after `opening`, which it answers by itself; what it said is taken.
template <typename SomeFront>
SomeFront front_after(std::string_view opening) {
    SomeFront front(rank_facts());
    front.feed(opening);
    const auto request = front.next();
    EXPECT_TRUE(request && !request->has_value());
    front.take_output();
    return front;
}

/// What the front has against these bytes; empty: nothing.
inline std::string cause_of(Front& front, std::string_view bytes) {
    front.feed(bytes);
    const auto request = front.next();
    return request ? "" : request.error().cause;
}

}  // namespace launch
