#pragma once

#include "core/run/job_upstream.hpp"

namespace launch {

/// Hears of the demand for standard input, and nothing else.
struct DemandUpstream : JobUpstream {
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
    void gained(const MovedMessage&) override {}
    void pass(FrameType, std::string_view, const Report&, bool) override {}
    awaitable<bool> pass_output(std::string, bool) override { co_return true; }
    void modex(std::string) override {}
    void input_wanted(uint64_t bytes) override { wanted += bytes; }
    void input_refused() override { ++refusals; }
    awaitable<bool> output(std::string) override { co_return true; }
};

}  // namespace launch
