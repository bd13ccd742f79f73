#include "modex/exchange/names.hpp"

#include <algorithm>
#include <iterator>
#include <utility>
#include <vector>

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
    if (message.verb == NameAsk::Verb::give_up) return give_up(asker);
    if (!state_.settings.root) return pass_up(asker, std::move(message));
    if (message.verb == NameAsk::Verb::await) return wait(asker, std::move(message));
    const NameAnswer decided = decide(message);
    answer(asker, decided);
    const bool published_now =
        message.verb == NameAsk::Verb::publish || message.verb == NameAsk::Verb::publish_once;
    if (published_now && decided.ok) published(message.name);
}

void Names::pass_up(Asker asker, NameAsk message) {
    message.ticket = next_++;
    asker.asked = message;
    askers_.emplace(message.ticket, asker);
    state_.sink.to_parent(encode(std::move(message)));
}

void Names::wait(Asker asker, NameAsk message) {
    const NameAnswer found = look_up(message);
    if (found.ok) return answer(asker, found);
    asker.asked = std::move(message);
    waiting_.emplace(asker.asked.name, asker);
}

/// A name that is read once goes to the first who waits. A question that comes again after a loss
/// may be the first one's, whose answer was lost: then it is answered, too.
void Names::published(const std::string& name) {
    auto [at, end] = waiting_.equal_range(name);
    while (at != end) {
        const NameAnswer found = look_up(at->second.asked);
        if (found.ok) answer(at->second, found);
        at = found.ok ? waiting_.erase(at) : std::next(at);
    }
}

/// Whose answer is on its way already is not found: he will have that.
void Names::give_up(const Asker& asker) {
    const auto is_it = [&](const auto& each) { return each.second.is(asker.child, asker.ticket); };
    if (state_.settings.root) {
        const auto at = std::find_if(waiting_.begin(), waiting_.end(), is_it);
        if (at == waiting_.end()) return;
        waiting_.erase(at);
        answer(asker, {0, false, name_timeout});
    } else {
        const auto at = std::find_if(askers_.begin(), askers_.end(), is_it);
        if (at != askers_.end()) pass_up_given_up(at->first, at->second);
    }
}

void Names::pass_up_given_up(uint64_t ticket, Asker& asker) {
    asker.gave_up = true;
    state_.sink.to_parent(encode(NameAsk{NameAsk::Verb::give_up, ticket, {}, {}}));
}

/// The ranks that awaited a name there are lost: they take none away from those who live.
void Names::lose_child(NodeIndex child) {
    std::erase_if(waiting_, [child](const auto& each) { return each.second.child == child; });
    for (auto& [ticket, asker] : askers_) {
        const bool waits = asker.asked.verb == NameAsk::Verb::await && !asker.gave_up;
        if (waits && asker.child == child) pass_up_given_up(ticket, asker);
    }
}

/// What is asked again may take a name away once more. So of those who gave up nothing is.
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

Names::Published* Names::find(const std::string& name) {
    const auto at = names_.find(name);
    return at == names_.end() || at->second.taken ? nullptr : &at->second;
}

NameAnswer Names::publish(const NameAsk& message, Published value) {
    const Published* known = find(message.name);
    const bool same = known != nullptr && known->value == value.value;
    if (message.again && same) return {0, true, {}};
    if (known != nullptr) return {0, false, "key_already_present"};
    if (names_.size() >= most_names && !names_.contains(message.name))
        return {0, false, "too_many_names"};
    names_.insert_or_assign(message.name, std::move(value));
    return {0, true, {}};
}

NameAnswer Names::look_up(const NameAsk& message) {
    const auto at = names_.find(message.name);
    if (at == names_.end() || (at->second.taken && !message.again)) return {0, false, "not_found"};
    NameAnswer found{0, true, at->second.value};
    at->second.taken = at->second.once;
    if (at->second.taken && !state_.settings.heals) names_.erase(at);
    return found;
}

NameAnswer Names::unpublish(const NameAsk& message) {
    if (find(message.name) == nullptr)
        return message.again ? NameAnswer{0, true, {}} : NameAnswer{0, false, "not_found"};
    names_.erase(message.name);
    return {0, true, {}};
}

NameAnswer Names::decide(const NameAsk& message) {
    switch (message.verb) {
        case NameAsk::Verb::lookup:
        case NameAsk::Verb::await: return look_up(message);
        case NameAsk::Verb::publish: return publish(message, {.value = message.value});
        case NameAsk::Verb::publish_once:
            return publish(message, {.value = message.value, .once = true});
        case NameAsk::Verb::unpublish: return unpublish(message);
        case NameAsk::Verb::dead: {
            std::string dead = deaths_.text(most_dead_text);
            if (dead.empty()) return {0, false, "key_not_found"};
            return {0, true, std::move(dead)};
        }
        case NameAsk::Verb::give_up: break;
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
