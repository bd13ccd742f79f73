// SPDX-License-Identifier: MIT
// Handles requests of ranks by PMI.

#include "modex/front/printable.hpp"
#include "modex/server/local_service.hpp"

namespace launch {
namespace {

/// The prefix of keys that launch itself answers.
constexpr const char* our_keys = "PMI_";
/// By this key MPICH asks which ranks have died: "0,3-5".
constexpr const char* dead_processes = "PMI_dead_processes";

/// By these the client library asks whether the launcher knows what is not PMI (pmi1/own_commands),
/// and for the id of the job whose rank has asked for this one.
constexpr const char* own_commands = "PMI_launch";
constexpr const char* parent_space = "PMI_launch_parent";

Error fault_of_rank(std::string cause, std::string hint = {}) {
    return {.kind = ErrorKind::protocol, .cause = std::move(cause), .hint = std::move(hint)};
}

Reply reply_of(DeskAnswer answer) {
    const bool ok = answer.outcome == DeskAnswer::Outcome::ok;
    const bool of_name = ok && !answer.names.empty();
    return {ok, of_name ? *std::move(answer.names.front()) : std::move(answer.text),
            std::move(answer.codes)};
}

}  // namespace

Asker LocalService::asker(uint32_t rank, uint64_t ticket) {
    RankSession* const session = sessions_.at(rank).get();
    return {rank, session, [session, ticket](DeskAnswer answer) {
                session->reply(ticket, reply_of(std::move(answer)));
            }};
}

/// Its answer, or the end of the job where the rank holds too much.
void LocalService::held(Asker asker, bool fits) {
    if (!fits) return runaway(*asker.rank);
    desk_->reply(std::move(asker), {});
}

void LocalService::request(uint32_t rank, Request request) {
    using Kind = Request::Kind;
    std::string& key = request.key;
    std::string& value = request.value;
    Asker who = asker(rank, request.ticket);
    switch (request.kind) {
        case Kind::put: held(std::move(who), desk_->put(rank, key, value)); break;
        case Kind::put_node: held(std::move(who), desk_->put_attribute(rank, key, value)); break;
        case Kind::get: get(std::move(who), key, request.number); break;
        case Kind::get_node: desk_->get_attribute(std::move(who), key, request.wait); break;
        case Kind::get_job: get_job(std::move(who), key); break;
        case Kind::publish:
            if (!desk_->publish(std::move(who), {{key, value}}, false)) runaway(rank);
            break;
        case Kind::unpublish: desk_->unpublish(std::move(who), {key}); break;
        case Kind::lookup: look_up(std::move(who), request); break;
        case Kind::get_of:
            desk_->fetch_of(std::move(who), value, static_cast<uint32_t>(request.number), key);
            break;
        case Kind::fence:
            if (desk_->fence(std::move(who))) break;
            broken(rank, fault_of_rank("entered a fence that it is already in"));
            break;
        case Kind::spawn:
        case Kind::ask_head: spawn(std::move(who), std::move(request.spawn)); break;
        case Kind::finalize: desk_->reply(std::move(who), {}); break;
        case Kind::abort:
            fault(rank, FaultMessage::Kind::aborted, request.number,
                  printable(value, max_abort_text));
            break;
    }
}

void LocalService::runaway(uint32_t rank) {
    constexpr Holdings::Load limits = Holdings::most;
    broken(rank, fault_of_rank("put more than " + std::to_string(limits.keys) + " keys or " +
                                   std::to_string(limits.bytes >> 20) + " MiB",
                               "does the program put keys in a loop?"));
}

/// A card that the parent of these processes has put for them. Null: no such card.
const std::string* LocalService::given_card(const std::string& key) const {
    for (const auto& [name, value] : job_.origin.cards)
        if (name == key) return &value;
    return nullptr;
}

void LocalService::look_up(Asker asker, const Request& request) {
    NameLookup lookup{.names = {request.key}, .waits = request.wait};
    if (request.number > 0) lookup.limit = milliseconds{request.number};
    desk_->look_up(std::move(asker), std::move(lookup), Clock::now());
}

void LocalService::spawn(Asker asker, SpawnOrder order) {
    const uint32_t rank = asker.rank.value();
    ask_head(std::move(asker), rank, std::move(order));
}

void LocalService::ask_head(Asker asker, uint32_t rank, SpawnOrder order) {
    SpawnMessage wanted{0, 0, rank, std::move(order)};
    if (wanted.encode().size() > most_spawn_bytes)
        return desk_->reply(std::move(asker),
                            {DeskAnswer::Outcome::refused, "too_much_to_spawn", {}});
    const auto ticket = desk_->spawn(std::move(asker));
    if (!ticket) return;
    wanted.ticket = *ticket;
    host_.modex_spawn(std::move(wanted));
}

/// Takes the answer for any node: each has tickets of its own.
void LocalService::spawned(const SpawnedMessage& answer) {
    DeskAnswer told;
    if (!answer.ok()) told.outcome = DeskAnswer::Outcome::refused;
    told.text = answer.ok() ? answer.text : answer.why;
    told.codes.resize(answer.failed.empty() ? 0 : answer.ranks);
    for (const uint32_t failed : answer.failed)
        told.codes[failed] = 1;
    desk_->spawned(answer.ticket, std::move(told));
    settle();
}

/// No rank can put a key of ours: it is an attribute of the job, by whichever word it is asked for.
void LocalService::get(Asker asker, const std::string& key, int32_t owner) {
    if (const auto* card = given_card(key)) return desk_->reply(std::move(asker), {.text = *card});
    if (key.starts_with(our_keys)) return get_job(std::move(asker), key);
    desk_->get(std::move(asker), key, owner);
}

void LocalService::get_job(Asker asker, const std::string& key) {
    if (const auto* card = given_card(key)) return desk_->reply(std::move(asker), {.text = *card});
    if (key == dead_processes) return desk_->ask_dead(std::move(asker));
    if (key == own_commands) return desk_->reply(std::move(asker), {.text = "1"});
    if (key == parent_space && job_.origin.is_spawned())
        return desk_->reply(std::move(asker), {.text = job_.origin.parent});
    desk_->reply(std::move(asker), {DeskAnswer::Outcome::absent, "key_not_found", {}});
}

}  // namespace launch
