// SPDX-License-Identifier: MIT
#include "modex/exchange/name_board.hpp"

#include <algorithm>
#include <iterator>

namespace launch {
namespace {

using Range = NameScope::Range;
using Verb = NameAsk::Verb;

std::string domain(Range range, const std::string& space_name, const NameAsk& message) {
    switch (range) {
        case Range::session: break;
        case Range::job: return "job " + space_name;
        case Range::host: return "host " + message.scope.host;
        case Range::process: return "rank " + std::to_string(message.rank) + " of " + space_name;
    }
    return {};
}

/// The domains in which the asker finds names, the narrowest first.
std::vector<std::string> domains_up_to(Range widest, const std::string& space_name,
                                       const NameAsk& message) {
    std::vector<std::string> domains;
    for (const Range range : {Range::process, Range::host, Range::job, Range::session})
        if (range >= widest) domains.push_back(domain(range, space_name, message));
    return domains;
}

}  // namespace

RootReplies NameBoard::ask(const RootAsker& asker, const std::string& space_name,
                           const NameAsk& message) {
    RootReplies replies;
    const auto domains = domains_up_to(message.scope.range, space_name, message);
    switch (message.verb) {
        case Verb::publish:
        case Verb::publish_once: {
            const Name name{domain(message.scope.range, space_name, message), message.name};
            replies.push_back({asker, publish(asker, name, message)});
            if (replies.front().answer.ok) answer_waiting(message.name, replies);
            break;
        }
        case Verb::unpublish: replies.push_back({asker, unpublish(domains, message)}); break;
        case Verb::unpublish_all:
            unpublish_all(asker.space, message);
            replies.push_back({asker, {0, true, {}}});
            break;
        case Verb::lookup: replies.push_back({asker, look_up(domains, message)}); break;
        case Verb::await: {
            NameAnswer found = look_up(domains, message);
            if (found.ok)
                replies.push_back({asker, std::move(found)});
            else
                waiting_.emplace(message.name, Waiter{asker, domains, message});
            break;
        }
        case Verb::give_up: {
            const auto at = std::find_if(waiting_.begin(), waiting_.end(), [&](const auto& each) {
                return each.second.who == asker;
            });
            // A question whose answer is on its way already is no longer here; its asker will get
            // that answer.
            if (at == waiting_.end()) break;
            waiting_.erase(at);
            replies.push_back({asker, {0, false, name_timeout}});
            break;
        }
        default: replies.push_back({asker, {0, false, "unknown_request"}});
    }
    return replies;
}

/// A name that is read once goes to the first who waits. A question that comes again after a loss
/// may be the first one's, whose answer was lost: then it is answered, too.
void NameBoard::answer_waiting(const std::string& name, RootReplies& replies) {
    auto [at, end] = waiting_.equal_range(name);
    while (at != end) {
        NameAnswer found = look_up(at->second.domains, at->second.asked);
        const bool answered = found.ok;
        if (answered) replies.push_back({at->second.who, std::move(found)});
        at = answered ? waiting_.erase(at) : std::next(at);
    }
}

NameBoard::Names::iterator NameBoard::find(const std::vector<std::string>& domains,
                                           const std::string& name, bool taken_too) {
    for (const std::string& domain : domains) {
        const auto at = names_.find({domain, name});
        if (at != names_.end() && (taken_too || !at->second.taken)) return at;
    }
    return names_.end();
}

NameAnswer NameBoard::publish(const RootAsker& asker, const Name& name, const NameAsk& message) {
    const auto known = names_.find(name);
    if (known != names_.end() && !known->second.taken) {
        const bool same = known->second.value == message.value;
        if (message.again && same) return {0, true, {}};
        return {0, false, "key_already_present"};
    }
    Count& count = counts_[asker.space];
    const size_t bytes = bytes_of(name, message.value);
    if (count.names >= most_of_a_job || count.bytes + bytes > most_bytes_of_a_job)
        return {0, false, "too_many_names"};
    ++count.names;
    count.bytes += bytes;
    if (known != names_.end()) names_.erase(known);
    const bool once = message.verb == Verb::publish_once;
    if (message.scope.life == NameScope::Life::process)
        publishers_.emplace(asker.space, message.rank);
    names_.emplace(name,
                   Published{message.value, asker.space, message.rank, message.scope.life, once});
    return {0, true, {}};
}

NameAnswer NameBoard::look_up(const std::vector<std::string>& domains, const NameAsk& message) {
    auto at = find(domains, message.name, false);
    if (at == names_.end() && message.again) at = find(domains, message.name, true);
    if (at == names_.end()) return {0, false, "not_found"};
    NameAnswer found{0, true, at->second.value};
    if (at->second.once && !at->second.taken) take(at);
    return found;
}

NameAnswer NameBoard::unpublish(const std::vector<std::string>& domains, const NameAsk& message) {
    const auto at = find(domains, message.name, false);
    if (at == names_.end())
        return message.again ? NameAnswer{0, true, {}} : NameAnswer{0, false, "not_found"};
    erase(at);
    return {0, true, {}};
}

void NameBoard::unpublish_all(SpaceId space, const NameAsk& message) {
    for (auto at = names_.begin(); at != names_.end();) {
        const bool goes = at->second.space == space && at->second.rank == message.rank &&
                          !at->second.taken && at->first.second.starts_with(message.name);
        at = goes ? erase(at) : std::next(at);
    }
}

NameBoard::Names::iterator NameBoard::erase(Names::iterator at) {
    if (!at->second.taken) count_down(*at);
    return names_.erase(at);
}

size_t NameBoard::bytes_of(const Name& name, const std::string& value) {
    return name.first.size() + name.second.size() + value.size();
}

void NameBoard::count_down(const Names::value_type& name) {
    const auto at = counts_.find(name.second.space);
    if (at == counts_.end()) return;  // the job is over, and the name was to stay
    --at->second.names;
    at->second.bytes -= bytes_of(name.first, name.second.value);
}

void NameBoard::take(Names::iterator at) {
    at->second.taken = true;
    count_down(*at);
    const size_t bytes = at->first.second.size() + at->second.value.size() + sizeof(Published);
    taken_.emplace_back(at->first, bytes);
    taken_bytes_ += bytes;
    while (taken_bytes_ > most_taken_bytes && taken_.size() > 1) {
        const auto oldest = names_.find(taken_.front().first);
        taken_bytes_ -= taken_.front().second;
        taken_.pop_front();
        if (oldest != names_.end() && oldest->second.taken && oldest != at) names_.erase(oldest);
    }
}

void NameBoard::withdraw(const std::function<bool(const Published&)>& goes) {
    for (auto at = names_.begin(); at != names_.end();)
        at = goes(at->second) ? erase(at) : std::next(at);
}

void NameBoard::lose_child(SpaceId space, NodeIndex child) {
    std::erase_if(waiting_, [&](const auto& each) {
        return each.second.who.space == space && each.second.who.child == child;
    });
}

void NameBoard::rank_gone(SpaceId space, uint32_t rank) {
    if (publishers_.erase({space, rank}) == 0) return;
    withdraw([&](const Published& each) {
        return each.space == space && each.rank == rank && each.life == NameScope::Life::process;
    });
}

void NameBoard::space_gone(SpaceId space) {
    std::erase_if(waiting_, [&](const auto& each) { return each.second.who.space == space; });
    withdraw([&](const Published& each) {
        return each.space == space && each.life != NameScope::Life::session;
    });
    counts_.erase(space);
    publishers_.erase(publishers_.lower_bound({space, 0}), publishers_.lower_bound({space + 1, 0}));
}

}  // namespace launch
