#include "core/link/direct_move.hpp"

#include <gtest/gtest.h>
#include <map>

namespace launch {
namespace {

/// A short program pays for no handshake, and no fence for those of many nodes.
TEST(DirectMove, NodesDoNotMoveAllAtOnce) {
    for (const NodeIndex nodes : {64U, 256U, 900U}) {
        std::map<int, NodeIndex> moves;
        for (NodeIndex node = 1; node <= nodes; ++node)
            ++moves[DirectMove::messages_before(node)];
        EXPECT_GE(moves.begin()->first, 32);
        EXPECT_LT(moves.rbegin()->first, 96);
        for (const auto& [messages, count] : moves)
            EXPECT_LE(count, nodes / 64 + 2) << nodes << " nodes, after " << messages;
    }
}

}  // namespace
}  // namespace launch
