// SPDX-License-Identifier: MIT
#include "modex/server/desk.hpp"

#include <algorithm>

namespace launch {
namespace {

/// How long libpmix itself waits for what a rank of the same node may never publish, after a fence.
constexpr std::chrono::seconds blob_patience{2};

/// The most collectives whose rounds are counted. Beyond that all counts are dropped, because few
/// collectives are repeated.
constexpr size_t most_rounds = 1'000;

constexpr const char* too_many = "too_many_questions";
constexpr const char* entered = "the rank is already in this fence";

DeskAnswer refusal(const char* why) {
    return {DeskAnswer::Outcome::refused, why, {}};
}

DeskAnswer answer_of(bool found, std::string text) {
    return {found ? DeskAnswer::Outcome::ok : DeskAnswer::Outcome::absent, std::move(text), {}};
}

}  // namespace

Holdings::Load Desk::load_of(What what, const std::vector<Part>& parts) {
    Holdings::Load load{.questions = std::max<size_t>(parts.size(), 1)};
    if (what != What::publish) return load;
    for (const Part& part : parts) {
        if (part.state > Part::State::open) continue;
        load.keys += 1;
        load.bytes += part.bytes;
    }
    return load;
}

std::vector<Desk::Part> Desk::parts_of(std::vector<std::string> names) {
    std::vector<Part> parts;
    parts.reserve(names.size());
    for (std::string& name : names)
        parts.push_back({std::move(name)});
    return parts;
}

Desk::Questions::iterator Desk::open(What what, Asker asker, std::vector<Part> parts) {
    Question question{.what = what, .asker = std::move(asker), .parts = std::move(parts)};
    if (question.asker.rank && !holdings_.add(*question.asker.rank, question.load())) {
        reply(std::move(question.asker), refusal(too_many));
        return questions_.end();
    }
    const size_t tickets = question.tickets();
    const auto at = questions_.emplace_hint(questions_.end(), next_ticket_, std::move(question));
    next_ticket_ += tickets;
    return at;
}

Desk::Questions::iterator Desk::find(uint64_t ticket) {
    auto at = questions_.upper_bound(ticket);
    if (at == questions_.begin()) return questions_.end();
    --at;
    return ticket - at->first < at->second.tickets() ? at : questions_.end();
}

Desk::Questions::iterator Desk::find_fence(What what, const Group& group) {
    return std::find_if(questions_.begin(), questions_.end(), [&](const auto& each) {
        return each.second.what == what && each.second.group == group;
    });
}

void Desk::finish(Questions::iterator at, DeskAnswer answer) {
    keep_no_time(at->first, at->second);
    Question question = std::move(at->second);
    questions_.erase(at);
    if (question.asker.rank) holdings_.remove(*question.asker.rank, question.load());
    if (question.asker.answer) reply(std::move(question.asker), std::move(answer));
}

void Desk::finish_all(What what, const std::string& key, const DeskAnswer& answer) {
    for (auto at = questions_.begin(); at != questions_.end();) {
        const auto next = std::next(at);
        if (at->second.what == what && at->second.key == key) finish(at, answer);
        at = next;
    }
}

void Desk::keep_time(Questions::iterator at, Time deadline) {
    at->second.deadline = deadline;
    deadlines_.emplace(deadline, at->first);
}

void Desk::keep_no_time(uint64_t number, Question& question) {
    if (question.deadline) deadlines_.erase({*question.deadline, number});
    question.deadline.reset();
}

bool Desk::put(uint32_t rank, std::string key, std::string value) {
    if (!holdings_.hold(rank, Holdings::Kind::card, key, key.size() + value.size())) return false;
    exchange_.put({rank, std::move(key), std::move(value)});
    return true;
}

bool Desk::put_attribute(uint32_t rank, const std::string& key, std::string value) {
    if (!holdings_.hold(rank, Holdings::Kind::attribute, key, key.size() + value.size()))
        return false;
    finish_all(What::attribute, key, answer_of(true, value));
    attributes_[key] = std::move(value);
    return true;
}

void Desk::get_attribute(Asker asker, const std::string& key, bool waits) {
    const auto known = attributes_.find(key);
    if (known != attributes_.end()) return reply(std::move(asker), answer_of(true, known->second));
    if (!waits) return reply(std::move(asker), answer_of(false, "key_not_found"));
    const auto at = open(What::attribute, std::move(asker));
    if (at != questions_.end()) at->second.key = key;
}

bool Desk::tell_event(uint32_t rank, const std::string& data, Time now) {
    Told& told = told_.try_emplace(rank, Told{now}).first->second;
    if (now - told.since >= event_time) told = {now};
    if (told.events >= limits_.keys || told.bytes + data.size() > limits_.bytes) return false;
    ++told.events;
    told.bytes += data.size();
    exchange_.tell_event(data);
    return true;
}

void Desk::get(Asker asker, const std::string& key, int32_t owner) {
    const auto at = open(What::get, std::move(asker));
    if (at != questions_.end()) exchange_.get(at->first, key, owner);
}

void Desk::ask_dead(Asker asker) {
    const auto at = open(What::dead, std::move(asker));
    if (at != questions_.end()) exchange_.name(NameAsk::Verb::dead, at->first, {}, {});
}

void Desk::fetch(Asker asker, uint32_t owner) {
    const auto at = open(What::fetch, std::move(asker));
    if (at != questions_.end()) exchange_.fetch(at->first, owner);
}

std::optional<uint64_t> Desk::spawn(Asker asker) {
    const auto at = open(What::spawn, std::move(asker));
    if (at == questions_.end()) return std::nullopt;
    return at->first;
}

void Desk::spawned(uint64_t ticket, DeskAnswer answer) {
    const auto at = questions_.find(ticket);
    if (at != questions_.end() && at->second.what == What::spawn) finish(at, std::move(answer));
}

void Desk::fetch_of(Asker asker, const std::string& space, uint32_t owner, const std::string& key) {
    const auto at = open(What::fetch, std::move(asker));
    if (at == questions_.end()) return;
    const std::string what = std::to_string(owner) + (key.empty() ? "" : " " + key);
    exchange_.ask_root({NameAsk::Verb::fetch, at->first, space, what});
}

void Desk::collective(Asker asker, const Collective& collective, CollectivePart part,
                      std::chrono::milliseconds limit, Time now) {
    const auto at = open(What::collective, std::move(asker));
    if (at == questions_.end()) return;
    at->second.stage = Stage::waiting;
    at->second.wanted = 1;
    if (limit.count() > 0) keep_time(at, now + limit);
    std::string name = collective.encode();
    at->second.key = name;
    const auto done_before = rounds_.find(name);
    part.round = done_before == rounds_.end() ? 0 : done_before->second;
    exchange_.ask_root({NameAsk::Verb::collective, at->first, std::move(name), part.encode()});
}

bool Desk::fence(Asker asker) {
    const uint32_t rank = asker.rank.value();
    const auto at = open(What::fence, std::move(asker));
    if (at == questions_.end()) return true;
    const uint64_t number = at->first;  // which may be answered before the next line returns
    const bool joined = exchange_.join(rank);
    if (!joined) drop(find(number));
    return joined;
}

void Desk::fence_all(Asker asker, std::string blob, bool collect, const std::set<uint32_t>& left) {
    fenced_ = true;
    const uint64_t number = open(What::fence_all, std::move(asker))->first;
    if (!exchange_.join_all(std::move(blob), collect, left)) finish(find(number), refusal(entered));
}

void Desk::fence_group(Asker asker, const Group& group, std::string blob,
                       const std::set<uint32_t>& left) {
    if (find_fence(What::fence_group, group) != questions_.end())
        return reply(std::move(asker), refusal(entered));
    open(What::fence_group, std::move(asker))->second.group = group;
    exchange_.join_group(group, std::move(blob), left);
}

bool Desk::publish(Asker asker, std::vector<NamedValue> names, bool once, NameScope scope) {
    std::vector<Part> parts;
    for (NamedValue& each : names) {
        const uint64_t bytes = each.name.size() + each.value.size();
        parts.push_back({std::move(each.name), std::move(each.value), bytes});
    }
    const auto load = load_of(What::publish, parts);
    if (!holdings_.fits(asker.rank.value(), {load.keys, load.bytes, 0})) return false;
    const auto at = open(What::publish, std::move(asker), std::move(parts));
    if (at == questions_.end()) return true;
    at->second.once = once;
    at->second.scope = std::move(scope);
    ask_names(at, once ? NameAsk::Verb::publish_once : NameAsk::Verb::publish);
    return true;
}

void Desk::unpublish(Asker asker, std::vector<std::string> names, NameScope scope) {
    const auto at = open(What::unpublish, std::move(asker), parts_of(std::move(names)));
    if (at == questions_.end()) return;
    at->second.scope = std::move(scope);
    ask_names(at, NameAsk::Verb::unpublish);
}

void Desk::unpublish_all(Asker asker, std::string prefix) {
    const auto at = open(What::unpublish_all, std::move(asker), parts_of({std::move(prefix)}));
    if (at != questions_.end()) ask_names(at, NameAsk::Verb::unpublish_all);
}

/// Starts a lookup; a rank that has exited takes no name away from living ranks.
void Desk::look_up(Asker asker, NameLookup lookup, Time now) {
    if (asker.rank && holdings_.forgotten(*asker.rank))
        return reply(std::move(asker), {DeskAnswer::Outcome::late, {}, {}});
    const auto at = open(What::look_up, std::move(asker), parts_of(std::move(lookup.names)));
    if (at == questions_.end()) return;
    Question& question = at->second;
    question.answer.names.resize(question.parts.size());
    question.scope = std::move(lookup.scope);
    const size_t all = question.parts.size();
    if (lookup.waits) question.wanted = lookup.wanted == 0 ? all : std::min(lookup.wanted, all);
    if (lookup.waits && lookup.limit.count() > 0) keep_time(at, now + lookup.limit);
    ask_names(at, lookup.waits ? NameAsk::Verb::await : NameAsk::Verb::lookup);
}

/// Answers may come before this returns.
void Desk::ask_names(Questions::iterator at, NameAsk::Verb verb) {
    Question& question = at->second;
    for (size_t i = 0; i < question.parts.size() && !question.has_enough(); ++i) {
        Part& part = question.parts[i];
        part.state = Part::State::open;
        ++question.open;
        NameAsk message{verb, at->first + i, part.name, std::move(part.value)};
        message.scope = question.scope;
        message.rank = question.asker.rank.value_or(NameAsk::no_rank);
        exchange_.ask_root(std::move(message));
    }
    question.stage = Stage::waiting;
    advance(at);
}

void Desk::answered(uint64_t ticket, bool found, const std::string& value) {
    const auto at = find(ticket);
    if (at == questions_.end() || at->second.what == What::spawn) return;  // see spawned()
    if (found && at->second.what == What::collective) note_round(at->second.key);
    if (at->second.parts.empty()) return finish(at, answer_of(found, value));
    const size_t part = ticket - at->first;
    if (at->second.parts[part].state != Part::State::open) return;
    part_answered(at->second, part, found, value);
    advance(at);
}

/// Counts a finished round, so that a repeated question differs from a new round of the same
/// collective.
void Desk::note_round(const std::string& collective) {
    if (rounds_.size() >= most_rounds) rounds_.clear();
    ++rounds_[collective];
}

void Desk::part_answered(Question& question, size_t number, bool found, const std::string& value) {
    Part& part = question.parts[number];
    DeskAnswer& answer = question.answer;
    part.state = found ? Part::State::found : Part::State::absent;
    --question.open;
    if (question.what == What::publish) hold_published(question, part);
    if (!found) {
        const bool late = value == name_timeout || answer.outcome == DeskAnswer::Outcome::late;
        answer.outcome = late ? DeskAnswer::Outcome::late : DeskAnswer::Outcome::absent;
        answer.text = value;
        return;
    }
    ++question.found;
    if (question.what == What::unpublish) let_go(part.name);
    if (question.what == What::unpublish_all)
        holdings_.release_all(question.asker.rank.value(), Holdings::Kind::name, part.name);
    if (question.what != What::look_up) return;
    answer.names[number] = value;
}

/// At once, as it may be taken next. A name has one holder: who had it before was not told that it
/// was withdrawn at another node. Nor is who published one that is read once told when it has been:
/// of those the root alone knows how many there are (NameBoard).
void Desk::hold_published(const Question& question, const Part& part) {
    const uint32_t rank = question.asker.rank.value();
    holdings_.remove(rank, {1, part.bytes, 0});
    if (part.state != Part::State::found) return;
    let_go(part.name);
    if (!question.once) holdings_.hold(rank, Holdings::Kind::name, part.name, part.bytes);
}

void Desk::let_go(const std::string& name) {
    holdings_.release(Holdings::Kind::name, name);
}

void Desk::advance(Questions::iterator at) {
    Question& question = at->second;
    if (question.stage == Stage::asking) return;
    if (question.open == 0) {
        const bool enough = question.has_enough() && question.found < question.parts.size();
        if (enough) question.answer.outcome = DeskAnswer::Outcome::absent;
        return finish(at, std::move(question.answer));
    }
    if (question.has_enough()) to_act_on_.push_back(at->first);
}

void Desk::fence_done(Channel channel, std::string blob) {
    if (channel == Channel::cards) return finish_all(What::fence, {}, {});
    const auto at = find_fence(What::fence_all, {});
    if (at != questions_.end()) finish(at, answer_of(true, std::move(blob)));
}

void Desk::group_done(const Group& group, const std::string& blob) {
    const auto at = find_fence(What::fence_group, group);
    if (at != questions_.end()) finish(at, answer_of(true, blob));
}

/// A rank may publish until it has entered a fence: then it is waited for no longer than libpmix
/// does.
void Desk::blob_wanted(uint32_t owner, Time now) {
    const auto at = open(What::blob_of_ours, {});
    at->second.group = {owner};
    if (fenced_) keep_time(at, now + blob_patience);
    to_act_on_.push_back(at->first);
}

void Desk::fetch_blob(uint64_t number, uint32_t owner) {
    questions_.at(number).stage = Stage::waiting;
    if (source_ == nullptr) return published(owner, std::nullopt);
    source_->fetch(owner);
    if (holdings_.forgotten(owner)) give_up(number);
}

void Desk::published(uint32_t owner, const std::optional<std::string>& blob) {
    const auto at = find_fence(What::blob_of_ours, {owner});
    if (at == questions_.end()) return;
    finish(at, {});
    exchange_.resolved(owner, blob);
}

/// Drops a question. For a publication, the outcome still has to be found out.
void Desk::drop(Questions::iterator at) {
    const What what = at->second.what;
    at->second.asker.answer = nullptr;
    if (what != What::publish && what != What::unpublish && what != What::unpublish_all)
        finish(at, {});
}

void Desk::session_gone(const void* session) {
    std::erase_if(ready_, [&](const Ready& each) { return each.asker.session == session; });
    for (auto at = questions_.begin(); at != questions_.end();) {
        const auto next = std::next(at);
        if (at->second.asker.session == session) drop(at);
        at = next;
    }
}

void Desk::rank_gone(uint32_t rank) {
    holdings_.forget(rank);
    told_.erase(rank);
    std::vector<uint64_t> to_give_up;
    for (auto& [number, question] : questions_) {
        const bool wanted = question.what == What::blob_of_ours && question.group.front() == rank;
        if (wanted || question.asker.rank == rank) to_give_up.push_back(number);
    }
    for (const uint64_t number : to_give_up)
        give_up(number);
}

/// Nothing to give up is in a question that the exchange answers by itself.
void Desk::give_up(uint64_t number) {
    const auto at = questions_.find(number);
    if (at == questions_.end() || at->second.stage != Stage::waiting) return;
    Question& question = at->second;
    const bool of_ours = question.what == What::blob_of_ours;
    if (!of_ours && question.wanted == 0) return;
    keep_no_time(number, question);
    question.stage = Stage::giving_up;
    if (of_ours) return source_->give_up(question.group.front());
    const size_t tickets = question.tickets();  // the last answer may come at once
    for (size_t i = 0; i < tickets; ++i)
        exchange_.name(NameAsk::Verb::give_up, number + i, {}, {});
}

std::optional<Desk::Time> Desk::next_deadline() const {
    if (deadlines_.empty()) return std::nullopt;
    return deadlines_.begin()->first;
}

void Desk::expire(Time now) {
    while (!deadlines_.empty() && deadlines_.begin()->first <= now) {
        const uint64_t number = deadlines_.begin()->second;
        keep_no_time(number, questions_.at(number));
        give_up(number);
    }
}

void Desk::act(uint64_t number) {
    const auto at = questions_.find(number);
    if (at == questions_.end()) return;
    const Question& question = at->second;
    if (question.what == What::blob_of_ours) return fetch_blob(number, question.group.front());
    give_up(number);
}

void Desk::settle() {
    if (std::exchange(settling_, true)) return;
    while (!to_act_on_.empty() || !ready_.empty()) {
        if (!to_act_on_.empty()) {
            const uint64_t number = to_act_on_.front();
            to_act_on_.pop_front();
            act(number);
            continue;
        }
        Ready ready = std::move(ready_.front());
        ready_.pop_front();
        ready.asker.answer(std::move(ready.answer));
    }
    settling_ = false;
}

}  // namespace launch
