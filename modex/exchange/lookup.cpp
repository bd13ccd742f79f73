// SPDX-License-Identifier: MIT
#include "modex/exchange/lookup.hpp"

#include <algorithm>
#include <utility>

namespace launch {
namespace {

/// The prefix of the names of these questions; they sort last.
constexpr const char* card_questions = "c";

/// A node that had to pass on so many questions since the last fence fetches all cards; below it a
/// few questions are cheaper than all the cards of a large job.
uint32_t questions_before_fetch(uint32_t ranks) {
    return std::clamp(ranks / 16, 8U, 256U);
}

std::string question_name(Channel channel, uint32_t owner, const std::string& key) {
    const char* kind = channel == Channel::cards ? card_questions : "b";
    return kind + std::to_string(owner) + ":" + key;
}

}  // namespace

void Lookup::get(uint64_t ticket, const std::string& key, int32_t owner) {
    if (const Card* card = state_.store.find(key)) {
        state_.sink.answered(ticket, true, card->value);
        return;
    }
    Search search{key, {}, 0};
    if (!state_.everything_known()) {
        state_.patterns.owners(key, search.owners);
        if (search.owners.empty() && owner >= 0)
            search.owners.push_back(static_cast<uint32_t>(owner));
        std::erase_if(search.owners,
                      [this](uint32_t rank) { return rank >= state_.settings.ranks; });
    }
    searches_.emplace(ticket, std::move(search));
    ask_next(ticket);
}

void Lookup::ask_next(uint64_t ticket) {
    const auto at = searches_.find(ticket);
    Search& search = at->second;
    if (search.next == search.owners.size()) {
        searches_.erase(at);
        state_.sink.answered(ticket, false, {});
        return;
    }
    const uint32_t owner = search.owners[search.next++];
    const std::string key = search.key;
    ask(Channel::cards, owner, key, Waiter{Waiter::Kind::local, 0, ticket});
}

void Lookup::fetch(uint64_t ticket, uint32_t owner) {
    ask(Channel::blobs, owner, {}, Waiter{Waiter::Kind::blob, 0, ticket});
}

void Lookup::ask(Channel channel, uint32_t owner, const std::string& key, Waiter waiter) {
    const auto [at, is_new] = questions_open_.try_emplace(question_name(channel, owner, key));
    Question& question = at->second;
    question.waiters.push_back(waiter);
    if (!is_new) return;
    question.channel = channel;
    question.owner = owner;
    question.key = key;
    const bool known = answer_here(question);
    const bool held = !known && channel == Channel::cards && hold_for_bulk();
    const bool under_way = held || (!known && send(question));
    if (!under_way) settle_here(at);
}

/// Questions about cards wait while everything is being fetched; one too many starts that.
bool Lookup::hold_for_bulk() {
    if (bulk_.wants_everything()) return true;
    if (std::exchange(questions_epoch_, state_.epoch) != state_.epoch) questions_ = 0;
    if (questions_ < questions_before_fetch(state_.settings.ranks)) return false;
    bulk_.want_everything();
    return bulk_.wants_everything();
}

/// Whether the answer, be it "no such card", is known at this node.
bool Lookup::answer_here(Question& question) {
    if (question.channel == Channel::cards)
        return state_.store.find(question.key) != nullptr || state_.everything_known() ||
               state_.is_local(question.owner);
    if (!state_.is_local(question.owner)) return false;
    question.sent = true;
    state_.sink.blob_wanted(question.owner);
    return false;
}

/// False: nobody can be asked.
bool Lookup::send(Question& question) {
    if (question.sent) return true;
    question.to = state_.routes.child_of(question.owner);
    // An owner that is gone, and no longer in the subtree, was on a lost node.
    if (!question.to && (state_.settings.root || state_.is_gone(question.owner))) return false;
    question.sent = true;
    if (question.channel == Channel::cards) ++questions_;
    const std::string message = encode(Ask{question.channel, question.owner, question.key});
    if (question.to) {
        state_.sink.to_child(*question.to, message);
    } else {
        state_.sink.to_parent(message);
    }
    return true;
}

void Lookup::send_again(Questions::iterator at) {
    at->second.sent = false;
    if (!send(at->second)) settle_here(at);
}

void Lookup::nodes_left(NodeIndex child) {
    for (auto at = questions_open_.begin(); at != questions_open_.end();) {
        const auto next = std::next(at);
        if (at->second.sent && at->second.to == child) send_again(at);
        at = next;
    }
}

void Lookup::lose_child(NodeIndex child) {
    for (auto& [name, question] : questions_open_)
        std::erase_if(question.waiters, [child](const Waiter& waiter) {
            return waiter.kind == Waiter::Kind::child && waiter.child == child;
        });
}

void Lookup::new_parent() {
    for (auto& [name, question] : questions_open_) {
        std::erase_if(question.waiters, [](const Waiter& waiter) {
            return waiter.kind == Waiter::Kind::parent;  // another one has not asked
        });
        if (question.sent && !question.to && !state_.is_local(question.owner))
            state_.sink.to_parent(encode(Ask{question.channel, question.owner, question.key}));
    }
}

void Lookup::tell(const Waiter& waiter, Answer answer) {
    leave_out_sent(waiter, answer);
    switch (waiter.kind) {
        case Waiter::Kind::blob:
            state_.sink.answered(waiter.ticket, answer.found, answer.value);
            return;
        case Waiter::Kind::local:
            if (!answer.found) {
                ask_next(waiter.ticket);
                return;
            }
            searches_.erase(waiter.ticket);
            state_.sink.answered(waiter.ticket, true, answer.value);
            return;
        case Waiter::Kind::parent: state_.sink.to_parent(encode(answer)); return;
        case Waiter::Kind::child: state_.sink.to_child(waiter.child, encode(answer)); return;
    }
}

/// A bulk fetch may have brought the card to a neighbour after it asked.
void Lookup::leave_out_sent(const Waiter& waiter, Answer& answer) {
    const bool to_neighbour =
        waiter.kind == Waiter::Kind::parent || waiter.kind == Waiter::Kind::child;
    if (!to_neighbour || !answer.found || answer.channel != Channel::cards) return;
    const bool up = waiter.kind == Waiter::Kind::parent;
    CardSet& has = up ? state_.parent.has : state_.children.at(waiter.child).has;
    const auto id = state_.store.id_of(answer.key);
    answer.sent = has.contains(id);
    if (answer.sent) answer.value.clear();
    has.insert(id);
}

void Lookup::settle(Question question, bool found, const std::string& value) {
    const Answer answer{question.channel, question.owner, state_.epoch, found, false,
                        question.key,     value};
    for (const Waiter& waiter : question.waiters)
        tell(waiter, answer);
}

void Lookup::settle_here(Questions::iterator at) {
    Question question = std::move(at->second);
    questions_open_.erase(at);
    const Card* card =
        question.channel == Channel::cards ? state_.store.find(question.key) : nullptr;
    const std::string value = card != nullptr ? card->value : std::string();
    settle(std::move(question), card != nullptr, value);
}

/// The question came from the direction of the owner, so no node knows where that rank is. Its
/// subtree may not have been started.
bool Lookup::leads_back(std::optional<NodeIndex> asker, const Ask& message) const {
    return !state_.is_local(message.owner) && state_.routes.child_of(message.owner) == asker;
}

bool Lookup::from(std::optional<NodeIndex> child, Ask message) {
    Waiter waiter;
    waiter.kind = child ? Waiter::Kind::child : Waiter::Kind::parent;
    waiter.child = child.value_or(0);
    if (leads_back(child, message)) {
        tell(waiter, {message.channel, message.owner, state_.epoch, false, false, message.key, {}});
    } else {
        ask(message.channel, message.owner, message.key, waiter);
    }
    return true;
}

bool Lookup::from(std::optional<NodeIndex> child, Answer message) {
    const auto open =
        questions_open_.find(question_name(message.channel, message.owner, message.key));
    if (open == questions_open_.end()) return true;  // a bulk fetch was faster
    if (message.channel == Channel::blobs) {
        Question question = std::move(open->second);
        questions_open_.erase(open);
        settle(std::move(question), message.found, message.value);
        return true;
    }
    if (message.found && !message.sent && message.epoch >= state_.valid_since) {
        Neighbour& from = child ? state_.children.at(*child) : state_.parent;
        state_.learn({message.owner, message.key, message.value}, from);
    }
    if (state_.store.find(message.key) != nullptr || message.epoch >= state_.epoch) {
        settle_here(open);
    } else if (open->second.sent) {
        // This was written before a fence that has ended here since: ranks that asked after the
        // fence must not get the old value.
        send_again(open);
    }
    return true;
}

void Lookup::resolved(uint32_t owner, const std::optional<std::string>& blob) {
    const auto open = questions_open_.find(question_name(Channel::blobs, owner, {}));
    if (open == questions_open_.end()) return;
    Question question = std::move(open->second);
    questions_open_.erase(open);
    settle(std::move(question), blob.has_value(), blob.value_or(std::string()));
}

void Lookup::advance() {
    if (!state_.everything_known()) return;
    // A rank that gets "no such card" may ask another owner, but finds the answer here at once.
    while (true) {
        const auto at = questions_open_.lower_bound(card_questions);
        if (at == questions_open_.end()) return;
        settle_here(at);
    }
}

}  // namespace launch
