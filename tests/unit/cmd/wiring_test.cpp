// SPDX-License-Identifier: MIT
#include "cmd/wiring.hpp"

#include <gtest/gtest.h>

#include "cmd/options/transport_names.hpp"

namespace launch {
namespace {

TEST(Wiring, MakesEachTransportThatAnOptionMayName) {
    asio::io_context context;
    Reaper reaper(context.get_executor());
    for (const auto name : transport_names()) {
        TransportOptions options;
        options.name = name;
        const auto made = transport_factory()(context.get_executor(), options, reaper, {}, nullptr);
        EXPECT_TRUE(made) << name;
    }
}

}  // namespace
}  // namespace launch
