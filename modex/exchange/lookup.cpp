#include "modex/exchange/lookup.hpp"

#include "modex/exchange/card_policy.hpp"

namespace launch {
namespace {

std::string question_name(Channel channel, uint32_t owner, const std::string& key) {
    return (channel == Channel::cards ? "c" : "b") + std::to_string(owner) + ":" + key;
}

}  // namespace

void Lookup::get(uint64_t ticket, const std::string& key, int32_t owner) {
    if (const Card* card = state_.store.find(key)) {
        state_.sink.answered(ticket, true, card->value);
        return;
    }
    Search search{key, {}, 0};
    if (!state_.everything_known()) state_.patterns.owners(key, search.owners);
    if (search.owners.empty() && owner >= 0) search.owners.push_back(static_cast<uint32_t>(owner));
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
    ask(Channel::cards, owner, search.key, Waiter{Waiter::Kind::local, 0, ticket});
}

void Lookup::fetch(uint64_t ticket, uint32_t owner) {
    ask(Channel::blobs, owner, {}, Waiter{Waiter::Kind::blob, 0, ticket});
}

void Lookup::ask(Channel channel, uint32_t owner, const std::string& key, Waiter waiter) {
    const std::string name = question_name(channel, owner, key);
    Question& question = questions_open_[name];
    question.channel = channel;
    question.owner = owner;
    question.key = key;
    question.waiters.push_back(waiter);
    if (question.sent || question.waiters.size() > 1) return;
    if (channel == Channel::cards && hold_for_bulk()) return;
    if (answer_here(question) || !send(question)) {
        Question done = std::move(question);
        questions_open_.erase(name);
        const Card* card = channel == Channel::cards ? state_.store.find(key) : nullptr;
        settle(std::move(done), state_.epoch, card != nullptr, card ? card->value : std::string());
    }
}

/// Questions about cards wait while everything is being fetched; one too many starts that.
bool Lookup::hold_for_bulk() {
    if (state_.everything_known()) return false;
    if (bulk_.wants_everything()) return true;
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
    const auto child = state_.routes.child_of(question.owner);
    if (!child && state_.settings.root) return false;
    question.sent = true;
    if (question.channel == Channel::cards) ++questions_;
    const std::string message = encode(Ask{question.channel, question.owner, question.key});
    if (child) {
        state_.sink.to_child(*child, message);
    } else {
        state_.sink.to_parent(message);
    }
    return true;
}

void Lookup::tell(const Waiter& waiter, const Answer& answer) {
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

void Lookup::settle(Question question, uint64_t epoch, bool found, const std::string& value) {
    const Answer answer{question.channel, question.owner, epoch, found, question.key, value};
    for (const Waiter& waiter : question.waiters) {
        if (found && question.channel == Channel::cards && state_.store.find(question.key)) {
            const auto id = state_.store.id_of(question.key);
            if (waiter.kind == Waiter::Kind::parent) state_.parent.has.insert(id);
            if (waiter.kind == Waiter::Kind::child) state_.children.at(waiter.child).has.insert(id);
        }
        tell(waiter, answer);
    }
}

bool Lookup::from(std::optional<NodeIndex> child, Ask message) {
    Waiter waiter;
    waiter.kind = child ? Waiter::Kind::child : Waiter::Kind::parent;
    waiter.child = child.value_or(0);
    ask(message.channel, message.owner, message.key, waiter);
    return true;
}

bool Lookup::from(std::optional<NodeIndex> child, Answer message) {
    const auto open =
        questions_open_.find(question_name(message.channel, message.owner, message.key));
    if (open == questions_open_.end()) return true;  // a bulk fetch was faster
    Question question = std::move(open->second);
    questions_open_.erase(open);
    const bool keep =
        message.found && message.channel == Channel::cards && message.epoch >= state_.valid_since;
    if (keep) {
        Neighbour& from = child ? state_.children.at(*child) : state_.parent;
        state_.learn({message.owner, message.key, message.value}, from);
    }
    settle(std::move(question), message.epoch, message.found, message.value);
    return true;
}

void Lookup::resolved(uint32_t owner, const std::optional<std::string>& blob) {
    const auto open = questions_open_.find(question_name(Channel::blobs, owner, {}));
    if (open == questions_open_.end()) return;
    Question question = std::move(open->second);
    questions_open_.erase(open);
    settle(std::move(question), state_.epoch, blob.has_value(), blob.value_or(std::string()));
}

void Lookup::advance() {
    if (!state_.everything_known()) return;
    std::vector<Question> done;
    for (auto at = questions_open_.begin(); at != questions_open_.end();) {
        if (at->second.channel == Channel::cards) {
            done.push_back(std::move(at->second));
            at = questions_open_.erase(at);
        } else {
            ++at;
        }
    }
    for (Question& question : done) {
        const Card* card = state_.store.find(question.key);
        const std::string value = card ? card->value : std::string();
        settle(std::move(question), state_.epoch, card != nullptr, value);
    }
}

}  // namespace launch
