// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <vector>

#include "core/wire/survey.hpp"

namespace launch {

/// What the nodes of a job have answered to the question what its ranks cost: sans I/O. A node that
/// is lost is not waited for.
class SurveyDesk {
  public:
    /// The number of the question to these nodes.
    uint64_t open(std::set<NodeIndex> nodes);
    /// What was not asked, or was asked before and is over, is left out.
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
