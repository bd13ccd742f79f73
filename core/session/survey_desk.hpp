// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <vector>

#include "core/wire/survey.hpp"

namespace launch {

/// Collects the answers of a job's nodes about the resources that its ranks use. It does not wait
/// for lost nodes. Sans I/O.
class SurveyDesk {
  public:
    /// The number of the question to these nodes.
    uint64_t open(std::set<NodeIndex> nodes);
    /// Takes an answer. One that was not asked for, or whose question is over, is ignored.
    void take(const SurveyMessage& message);
    void lose(NodeIndex node);
    bool is_complete(uint64_t survey) const;

    struct Answers {
        std::vector<SurveyMessage> nodes;
        std::vector<NodeIndex> silent;
    };
    /// The question is over.
    Answers close(uint64_t survey);

  private:
    struct Open {
        std::set<NodeIndex> awaited;
        std::vector<SurveyMessage> answers;
    };
    std::map<uint64_t, Open> open_;
    uint64_t last_ = 0;
};

}  // namespace launch
