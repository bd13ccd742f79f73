// SPDX-License-Identifier: MIT
#include "core/link/direct_move.hpp"

#include <gtest/gtest.h>
#include <map>

#include "tests/unit/core/harness/simulated_run.hpp"

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

/// The start's stream; nobody speaks.
class Silent final : public ByteStream {
  public:
    awaitable<size_t> read_some(std::span<char>) override { co_return 0; }
    awaitable<size_t> write_some(std::span<const char> bytes) override { co_return bytes.size(); }
    void close() noexcept override {}
};

/// Hangs up on the first that call, as one that strangers overrun may.
class Overrun final : public DirectLinks {
  public:
    explicit Overrun(int refusals) : refusals_(refusals) {}
    int calls = 0;

    Result<uint16_t> listen() override { return uint16_t{1}; }
    awaitable<Result<std::unique_ptr<ByteStream>>> dial(Contact, LinkPurpose,
                                                        std::chrono::milliseconds,
                                                        std::stop_token) override {
        if (++calls <= refusals_)
            co_return Error{ErrorKind::unreachable, "open", {}, -1, "hung up on", {}};
        co_return std::unique_ptr<ByteStream>(std::make_unique<Silent>());
    }
    std::string key_of(NodeRange) override { return {}; }
    std::string public_key() override { return {}; }
    void know(const std::vector<Contact>&) override {}
    void know_joined(const std::vector<Contact>&) override {}
    void forget(NodeRange) override {}
    awaitable<void> close() override { co_return; }
    uint64_t refused() const override { return 0; }

  private:
    int refusals_;
};

/// So many calls are made, and as many failures told of, before the link moves or is given up.
void expect_calls(LinkChoice choice, int refusals, int calls, int failures) {
    SimulatedRun run;
    const auto executor = run.io.get_executor();
    auto link = std::make_shared<FramedLink>(executor, std::make_unique<Silent>());
    Overrun links(refusals);
    DirectMove* told = nullptr;
    int failed = 0;
    DirectMove move(executor, link, links, 2, {1, "there", 1}, choice, std::chrono::seconds(10),
                    [&](const Error&) {
                        ++failed;
                        told->stop();
                    });
    told = &move;
    move.expect_much();
    EXPECT_TRUE(run.run(move.run()));
    EXPECT_EQ(links.calls, calls);
    EXPECT_EQ(failed, failures);
}

TEST(DirectMove, who_must_have_a_link_and_is_hung_up_on_calls_again) {
    expect_calls(LinkChoice::direct, 0, 1, 0);
    expect_calls(LinkChoice::direct, 3, 4, 0);
    expect_calls(LinkChoice::direct, 9, 4, 1);
}

/// It has the stream that it began with.
TEST(DirectMove, who_can_do_without_is_in_no_haste) {
    expect_calls(LinkChoice::automatic, 9, 1, 1);
}

}  // namespace
}  // namespace launch
