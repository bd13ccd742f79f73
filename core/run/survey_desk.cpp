// SPDX-License-Identifier: MIT
#include "core/run/survey_desk.hpp"

#include <algorithm>
#include <utility>

namespace launch {

void SurveyDesk::open(uint64_t survey, std::set<NodeIndex> nodes) {
    open_[survey] = {std::move(nodes), {}, {survey, {}}};
}

bool SurveyDesk::take(SurveyMessage message) {
    const auto at = open_.find(message.survey);
    if (at == open_.end()) return false;
    auto& [awaited, heard, merged] = at->second;
    bool is_news = false;
    for (const NodeIndex node : message.nodes) {
        awaited.erase(node);
        is_news |= heard.insert(node).second;
    }
    if (is_news) merged.merge(std::move(message));
    return true;
}

void SurveyDesk::lose(NodeRange nodes) {
    for (auto& [survey, open] : open_)
        erase_nodes(open.awaited, nodes);
}

bool SurveyDesk::is_complete(uint64_t survey) const {
    const auto at = open_.find(survey);
    return at == open_.end() || at->second.awaited.empty();
}

SurveyDesk::Answer SurveyDesk::close(uint64_t survey) {
    const auto at = open_.find(survey);
    if (at == open_.end()) return {{survey, {}}, {}};
    Answer answer{std::move(at->second.merged),
                  {at->second.awaited.begin(), at->second.awaited.end()}};
    open_.erase(at);
    auto& ranks = answer.merged.ranks;
    std::sort(ranks.begin(), ranks.end(),
              [](const RankState& a, const RankState& b) { return a.rank < b.rank; });
    return answer;
}

}  // namespace launch
