#include "modex/exchange/names.hpp"

namespace launch {
namespace {

/// A job that publishes more than this has lost its way.
constexpr size_t most_names = 100'000;
/// Of the list of the dead: every value of PMI holds so much.
constexpr size_t most_dead_text = 800;

}  // namespace

void Names::ask(NameAsk::Verb verb, uint64_t ticket, std::string name, std::string value) {
    handle({std::nullopt, ticket}, {verb, ticket, std::move(name), std::move(value)});
}

void Names::from_child(NodeIndex child, NameAsk message) {
    const uint64_t ticket = message.ticket;
    handle({child, ticket}, std::move(message));
}

void Names::handle(Asker asker, NameAsk message) {
    if (state_.settings.root) {
        answer(asker, decide(message));
        return;
    }
    message.ticket = next_++;
    if (state_.settings.heals) asker.asked = message;
    askers_.emplace(message.ticket, asker);
    state_.sink.to_parent(encode(std::move(message)));
}

void Names::say_again() {
    for (auto& [ticket, asker] : askers_) {
        asker.asked.again = true;
        state_.sink.to_parent(encode(asker.asked));
    }
}

NameAnswer Names::decide(const NameAsk& message) {
    const auto known = names_.find(message.name);
    switch (message.verb) {
        case NameAsk::Verb::lookup:
            if (known == names_.end()) return {0, false, "not_found"};
            return {0, true, known->second};
        case NameAsk::Verb::publish:
            if (known != names_.end() && message.again && known->second == message.value)
                return {0, true, {}};
            if (known != names_.end()) return {0, false, "key_already_present"};
            if (names_.size() >= most_names) return {0, false, "too_many_names"};
            names_.emplace(message.name, message.value);
            return {0, true, {}};
        case NameAsk::Verb::unpublish:
            if (known == names_.end() && message.again) return {0, true, {}};
            if (known == names_.end()) return {0, false, "not_found"};
            names_.erase(known);
            return {0, true, {}};
        case NameAsk::Verb::dead: {
            std::string dead = deaths_.text(most_dead_text);
            if (dead.empty()) return {0, false, "key_not_found"};
            return {0, true, std::move(dead)};
        }
    }
    return {0, false, "unknown_request"};
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
