// SPDX-License-Identifier: MIT
#include "modex/exchange/names.hpp"

#include <algorithm>
#include <utility>
#include <vector>

namespace launch {
namespace {

/// Bytes of the list of the dead: every value of PMI can hold as many.
constexpr size_t most_dead_text = 800;

}  // namespace

Names::Names(ExchangeState& state, const DeathRoll& deaths) : state_(state), deaths_(deaths) {
    const ExchangeSettings& settings = state_.settings;
    if (!settings.root) return;
    root_ = settings.shared ? settings.shared : std::make_shared<RootDesk>();
    SpaceFacts facts = settings.facts;
    facts.ranks = settings.ranks;
    space_ = root_->add(std::move(facts), static_cast<RootSpace&>(*this));
}

Names::~Names() {
    if (root_) root_->remove(space_);
}

void Names::ask(NameAsk message) {
    const uint64_t ticket = message.ticket;
    handle({std::nullopt, ticket}, std::move(message));
}

void Names::from_child(NodeIndex child, NameAsk message) {
    const uint64_t ticket = message.ticket;
    handle({child, ticket}, std::move(message));
}

void Names::handle(const Asker& asker, NameAsk message) {
    if (root_) return decide(asker, message);
    if (message.verb != NameAsk::Verb::give_up) return pass_up(asker, std::move(message));
    // A question whose answer is on its way already is no longer here; its asker will get that
    // answer.
    const auto at = std::find_if(askers_.begin(), askers_.end(), [&](const auto& each) {
        return each.second.is(asker.child, asker.ticket);
    });
    if (at != askers_.end()) pass_up_given_up(at->first, at->second);
}

void Names::decide(const Asker& asker, const NameAsk& message) {
    if (message.verb == NameAsk::Verb::dead) return answer(asker, dead());
    asking_ = true;
    root_->ask({space_, asker.child, asker.ticket}, message);
    asking_ = false;
}

NameAnswer Names::dead() const {
    std::string text = deaths_.text(most_dead_text);
    if (text.empty()) return {0, false, "key_not_found"};
    return {0, true, std::move(text)};
}

void Names::root_answers(const RootAsker& asker, NameAnswer said) {
    answer({asker.child, asker.ticket}, std::move(said));
    if (!asking_) state_.sink.root_woke();
}

void Names::root_fetches(uint64_t ticket, uint32_t rank, const std::string& key) {
    state_.sink.root_wants(ticket, rank, key);
}

void Names::root_has(uint64_t ticket, bool found, const std::string& value) {
    if (root_) root_->fetched(ticket, found, value);
}

void Names::exited(uint32_t rank) {
    if (root_) root_->rank_gone(space_, rank);
}

void Names::pass_up(Asker asker, NameAsk message) {
    message.ticket = next_++;
    asker.asked = message;
    askers_.emplace(message.ticket, asker);
    state_.sink.to_parent(encode(std::move(message)));
}

void Names::pass_up_given_up(uint64_t ticket, Asker& asker) {
    asker.gave_up = true;
    state_.sink.to_parent(encode(NameAsk{NameAsk::Verb::give_up, ticket, {}, {}}));
}

/// The ranks that awaited a name there are lost: they take none away from those who live.
void Names::lose_child(NodeIndex child) {
    if (root_) root_->lose_child(space_, child);
    for (auto& [ticket, asker] : askers_) {
        const bool waits = asker.asked.verb == NameAsk::Verb::await && !asker.gave_up;
        if (waits && asker.child == child) pass_up_given_up(ticket, asker);
    }
}

/// Sends open questions again. A question that is sent again may remove a name once more, so those
/// that were given up are not.
void Names::new_parent() {
    std::vector<Asker> gave_up;
    for (auto at = askers_.begin(); at != askers_.end();) {
        Asker& asker = at->second;
        if (asker.gave_up) {
            gave_up.push_back(std::move(asker));
            at = askers_.erase(at);
            continue;
        }
        asker.asked.again = true;
        state_.sink.to_parent(encode(asker.asked));
        ++at;
    }
    for (const Asker& asker : gave_up)
        answer(asker, {0, false, name_timeout});
}

void Names::answer(const Asker& asker, NameAnswer answer) {
    answer.ticket = asker.ticket;
    if (asker.child) {
        if (state_.children.count(*asker.child) == 0) return;  // lost since
        state_.sink.to_child(*asker.child, encode(std::move(answer)));
    } else {
        state_.sink.answered(asker.ticket, answer.ok, answer.value);
    }
}

bool Names::from_parent(const NameAnswer& message) {
    const auto at = askers_.find(message.ticket);
    if (at == askers_.end()) return false;
    const Asker asker = at->second;
    askers_.erase(at);
    answer(asker, message);
    return true;
}

}  // namespace launch
