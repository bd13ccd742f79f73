// SPDX-License-Identifier: MIT
#pragma once

#include "core/run/job_upstream.hpp"

namespace launch {

/// Hears of the demand for standard input, and nothing else.
struct DemandUpstream : JobUpstream {
    InputGrant wanted;
    int refusals = 0;
    void placed_late() override {}
    void report(const JobReport&) override {}
    awaitable<void> ended(NodeIndex) override { co_return; }
    void failure(const FailureMessage&) override {}
    void notice(const NoticeMessage&) override {}
    void stage_wanted(const WantedMessage&) override {}
    void modex(std::string) override {}
    void input_wanted(const InputGrant& grant) override { wanted = grant; }
    void input_refused() override { ++refusals; }
    awaitable<bool> output(OutputMessage) override { co_return true; }
};

}  // namespace launch
