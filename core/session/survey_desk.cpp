// SPDX-License-Identifier: MIT
#include "core/session/survey_desk.hpp"

#include <utility>

namespace launch {

uint64_t SurveyDesk::open(std::set<NodeIndex> nodes) {
    open_[++last_].awaited = std::move(nodes);
    return last_;
}

void SurveyDesk::take(const SurveyMessage& message) {
    const auto at = open_.find(message.survey);
    if (at != open_.end() && at->second.awaited.erase(message.node) > 0)
        at->second.answers.push_back(message);
}

void SurveyDesk::lose(NodeIndex node) {
    for (auto& [number, open] : open_)
        open.awaited.erase(node);
}

bool SurveyDesk::is_complete(uint64_t survey) const {
    const auto at = open_.find(survey);
    return at == open_.end() || at->second.awaited.empty();
}

SurveyDesk::Answers SurveyDesk::close(uint64_t survey) {
    const auto at = open_.find(survey);
    if (at == open_.end()) return {};
    Answers answers{std::move(at->second.answers),
                    {at->second.awaited.begin(), at->second.awaited.end()}};
    open_.erase(at);
    return answers;
}

}  // namespace launch
