// SPDX-License-Identifier: MIT
// Answers the head's questions about ranks: this node's own answer, merged with those from below.

#include "core/link/patience.hpp"
#include "core/run/local_stacks.hpp"
#include "core/run/node_job.hpp"

namespace launch {

void NodeJob::survey(SurveyOrder order) {
    if (no_survey_.stop_requested()) return;
    auto nodes = placed() ? nodes_to_survey() : std::set<NodeIndex>();
    if (nodes.empty()) return;
    const bool has_own = nodes.contains(here_.self);
    surveys_.open(order.survey, std::move(nodes));
    if (has_own) tasks_.spawn(survey_own(order));
    tasks_.spawn(answer_survey(std::move(order)));
}

/// The nodes with ranks, from this one on.
std::set<NodeIndex> NodeJob::nodes_to_survey() const {
    std::set<NodeIndex> nodes;
    const auto add = [&](NodeRange range) {
        const auto ranks = ranks_of(range);
        for (NodeIndex i = 0; i < range.count; ++i)
            if (!ranks[i].empty()) nodes.insert(range.first + i);
    };
    add({here_.self, 1});
    for (const ChildView& child : tree_.all_children())
        for (const NodeRange& range : child.nodes)
            add(range);
    return nodes;
}

std::vector<RankState> NodeJob::states_of(const std::vector<RankRun>& ranks) const {
    auto states = ranks_.survey(ranks);
    for (RankState& state : states)
        state.node = here_.self;
    return states;
}

std::vector<RankState> NodeJob::modex_ranks() const {
    return states_of({});
}

awaitable<void> NodeJob::survey_own(SurveyOrder order) {
    SurveyMessage own{order.survey, {here_.self}};
    if (order.subject == SurveyOrder::Subject::usage) {
        own.ranks = states_of(order.ranks);
    } else if (order.subject == SurveyOrder::Subject::cores) {
        own.stacks = ranks_.cores();
    } else {
        own.stacks = co_await local_stacks(executor_, ranks_.processes(order.ranks), order.limit,
                                           no_survey_.get_token());
    }
    take_survey(std::move(own));
}

/// An answer that comes after the limit is passed on as it is.
void NodeJob::take_survey(SurveyMessage answer) {
    if (!surveys_.take(answer)) upstream_.report(std::move(answer));
    surveyed_.notify();
}

awaitable<void> NodeJob::answer_survey(SurveyOrder order) {
    const auto deadline = Clock::now() + order.limit + patience::survey_comes_up / 2;
    while (!surveys_.is_complete(order.survey) && !no_survey_.stop_requested() &&
           Clock::now() < deadline)
        co_await surveyed_.wait_until(deadline);
    auto answer = surveys_.close(order.survey);
    if (!answer.merged.nodes.empty()) upstream_.report(std::move(answer.merged));
}

/// False: malformed. An answer may be about nodes that are below another child by now, or lost.
bool NodeJob::take_survey(std::string_view body) {
    auto message = SurveyMessage::decode(body);
    if (!message) return false;
    take_survey(*std::move(message));
    return true;
}

/// Nodes that have gone elsewhere are not waited for. An answer that they give there is taken, too.
void NodeJob::lose_surveyed(const std::vector<NodeRange>& nodes) {
    for (const NodeRange& range : nodes)
        surveys_.lose(range);
    surveyed_.notify();
}

}  // namespace launch
