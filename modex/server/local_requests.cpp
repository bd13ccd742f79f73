// What a rank asks for.

#include "modex/front/printable.hpp"
#include "modex/server/local_service.hpp"

namespace launch {
namespace {

/// What one rank may put before it is taken for a runaway.
constexpr uint64_t most_cards = 100'000;
constexpr uint64_t most_bytes = 256u << 20;
/// What the names of keys of ours begin with.
constexpr const char* our_keys = "PMI_";
/// By this key MPICH asks which ranks have died: "0,3-5".
constexpr const char* dead_processes = "PMI_dead_processes";

uint64_t size_of(const Request& request) {
    return request.key.size() + request.value.size();
}

}  // namespace

void LocalService::request(uint32_t rank, Request request) {
    switch (request.kind) {
        case Request::Kind::put: put(rank, request); break;
        case Request::Kind::get: get(rank, request); break;
        case Request::Kind::fence:
            in_fence_.push_back({rank, request.ticket});
            if (!exchange_->join(rank))
                broken(rank, Error{ErrorKind::protocol,
                                   {},
                                   {},
                                   -1,
                                   "joined a fence that it is in already",
                                   {}});
            break;
        case Request::Kind::publish: ask_name(NameAsk::Verb::publish, rank, request); break;
        case Request::Kind::unpublish: ask_name(NameAsk::Verb::unpublish, rank, request); break;
        case Request::Kind::lookup: ask_name(NameAsk::Verb::lookup, rank, request); break;
        case Request::Kind::put_node: put_node(rank, request); break;
        case Request::Kind::get_node: get_node(rank, request); break;
        case Request::Kind::get_job: get_job(rank, request); break;
        case Request::Kind::finalize: say({rank, request.ticket}, true, {}); break;
        case Request::Kind::abort:
            fault(rank, FaultMessage::Kind::aborted, request.number,
                  printable(request.value, max_abort_text));
            break;
    }
}

bool LocalService::within_quota(uint32_t rank, uint64_t bytes) {
    Quota& quota = quotas_[rank];
    quota.cards += 1;
    quota.bytes += bytes;
    if (quota.cards <= most_cards && quota.bytes <= most_bytes) return true;
    broken(rank, Error{ErrorKind::protocol,
                       {},
                       {},
                       -1,
                       "put more than " + std::to_string(most_cards) + " keys or " +
                           std::to_string(most_bytes >> 20) + " MiB",
                       "is it in a loop?"});
    return false;
}

void LocalService::put(uint32_t rank, Request& request) {
    if (!within_quota(rank, size_of(request))) return;
    exchange_->put({rank, std::move(request.key), std::move(request.value)});
    say({rank, request.ticket}, true, {});
}

/// No rank can put a key of ours: it is an attribute of the job, by whichever word it is asked for.
void LocalService::get(uint32_t rank, const Request& request) {
    if (request.key.starts_with(our_keys)) return get_job(rank, request);
    exchange_->get(remember(rank, request.ticket), request.key, request.number);
}

void LocalService::ask_name(NameAsk::Verb verb, uint32_t rank, Request& request) {
    if (verb == NameAsk::Verb::publish && !within_quota(rank, size_of(request))) return;
    exchange_->name(verb, remember(rank, request.ticket), std::move(request.key),
                    std::move(request.value));
}

void LocalService::put_node(uint32_t rank, const Request& request) {
    if (!within_quota(rank, size_of(request))) return;
    for (const Asked& waiter : node_.put(request.key, request.value))
        say(waiter, true, request.value);
    say({rank, request.ticket}, true, {});
}

void LocalService::get_node(uint32_t rank, const Request& request) {
    const auto known = node_.get(request.key);
    if (!known && request.wait) return node_.wait(request.key, {rank, request.ticket});
    say({rank, request.ticket}, known.has_value(), known.value_or("key_not_found"));
}

void LocalService::get_job(uint32_t rank, const Request& request) {
    if (request.key == dead_processes) {
        exchange_->name(NameAsk::Verb::dead, remember(rank, request.ticket), {}, {});
    } else {
        say({rank, request.ticket}, false, "key_not_found");
    }
}

}  // namespace launch
