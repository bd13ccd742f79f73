#include "core/node/input_merge.hpp"

#include <gtest/gtest.h>

namespace launch {
namespace {

struct Recorder : Upstream {
    uint64_t wanted = 0;
    int refusals = 0;
    void nodes_up(const std::vector<NodeIndex>&) override {}
    void unready(const UnreadyMessage&) override {}
    void failure(const FailureMessage&) override {}
    void exits(const std::vector<RankExit>&) override {}
    void notice(const NoticeMessage&) override {}
    void fault(const FaultMessage&) override {}
    void staged(const std::vector<NodeIndex>&) override {}
    void stage_wanted(const WantedMessage&) override {}
    void contacts(const ContactsMessage&) override {}
    void routed(const RoutedMessage&) override {}
    void pass(FrameType, std::string_view, const News&, bool) override {}
    awaitable<bool> pass_output(std::string, bool) override { co_return true; }
    void modex(std::string) override {}
    void input_wanted(uint64_t bytes) override { wanted += bytes; }
    void input_refused() override { ++refusals; }
    awaitable<bool> output(std::string) override { co_return true; }
};

TEST(InputMerge, wants_as_much_as_the_slowest_reader) {
    Recorder up;
    InputMerge merge(up);
    merge.add(1);
    merge.add(InputMerge::child_key(1));
    merge.wanted(1, 100);
    EXPECT_EQ(up.wanted, 0u);
    merge.open();
    EXPECT_EQ(up.wanted, 0u) << "the child has not asked yet";
    merge.wanted(InputMerge::child_key(1), 60);
    EXPECT_EQ(up.wanted, 60u);
    merge.wanted(InputMerge::child_key(1), 60);
    EXPECT_EQ(up.wanted, 100u);
}

TEST(InputMerge, readers_that_leave_do_not_hold_the_others_up) {
    Recorder up;
    InputMerge merge(up);
    merge.add(1);
    merge.add(2);
    merge.open();
    merge.wanted(1, 10);
    merge.refused(2);
    EXPECT_EQ(up.wanted, 10u);
    EXPECT_EQ(up.refusals, 0);
    merge.refused(1);
    merge.refused(1);
    EXPECT_EQ(up.refusals, 1);
}

TEST(InputMerge, tells_at_once_that_nobody_reads) {
    Recorder up;
    InputMerge merge(up);
    merge.wanted(7, 10);
    merge.open();
    EXPECT_EQ(up.refusals, 1);
    EXPECT_EQ(up.wanted, 0u);
}

}  // namespace
}  // namespace launch
