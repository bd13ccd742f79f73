// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <vector>

#include "core/wire/survey.hpp"

namespace launch {

/// Collects the answers of a job's nodes to questions about their ranks and merges them: at the
/// head those of all nodes, at a relay those of its own node and of the nodes below. It does not
/// wait for lost nodes. Sans I/O.
class SurveyDesk {
  public:
    /// A question has been put to these nodes.
    void open(uint64_t survey, std::set<NodeIndex> nodes);
    /// Takes an answer. False: the question is not open here. A second answer of the same nodes is
    /// ignored.
    bool take(SurveyMessage message);
    void lose(NodeRange nodes);
    bool is_complete(uint64_t survey) const;

    struct Answer {
        SurveyMessage merged;
        std::vector<NodeIndex> silent;
    };
    /// Closes the question. The ranks of the answer are in order.
    Answer close(uint64_t survey);

  private:
    struct Open {
        std::set<NodeIndex> awaited;
        std::set<NodeIndex> heard;  ///< also of nodes that came here after the question
        SurveyMessage merged;
    };
    std::map<uint64_t, Open> open_;
};

}  // namespace launch
