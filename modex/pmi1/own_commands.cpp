// SPDX-License-Identifier: MIT
// Requests of ranks to launch besides PMI-1, by modex/client: only a rank that has found the key
// PMI_launch may send them, because other launchers end a job that does.
//
//     cmd=launch_grow hosts=LIST            answered by cmd=launch_result rc=0, or rc=-1 msg=WHY,
//     cmd=launch_release hosts=LIST         which goes to the end of the line
//     cmd=launch_event since=N wait=MS      ... rc=0 and the words of JobEvents::after()
//     cmd=launch_lookup wait=MS service=S   answered as lookup_name is
//     cmd=launch_get space=S rank=R key=K   answered as get is
//
// MS -1: without a deadline.

#include <algorithm>

#include "core/base/number_text.hpp"
#include "modex/front/pmi_error.hpp"
#include "modex/front/printable.hpp"
#include "modex/pmi1/limits.hpp"
#include "modex/pmi1/line.hpp"
#include "modex/pmi1/pmi1_front.hpp"

namespace launch {
namespace {

constexpr size_t longest_reason = 700;

/// Nothing: the field is missing, or no number.
template <class Number>
std::optional<Number> number_in(std::string_view line, std::string_view name) {
    const auto field = pmi1_field(line, name);
    return field ? parse_number<Number>(*field) : std::nullopt;
}

Error wrong_field(std::string_view line, std::string_view field) {
    return pmi_error("PMI-1", line, ", which lacks a valid " + std::string(field) + "=");
}

}  // namespace

Pmi1Front::Step Pmi1Front::ask_for_hosts(SpawnOrder::Kind kind, std::string_view line) {
    const auto hosts = pmi1_last_field(line, "hosts");
    if (!hosts || hosts->empty()) return wrong_field(line, "hosts");
    Request request;
    request.kind = Request::Kind::ask_head;
    request.spawn.kind = kind;
    request.spawn.hosts = *hosts;
    return ask(std::move(request));
}

Pmi1Front::Step Pmi1Front::grow(std::string_view line) {
    return ask_for_hosts(SpawnOrder::Kind::grow, line);
}

Pmi1Front::Step Pmi1Front::release(std::string_view line) {
    return ask_for_hosts(SpawnOrder::Kind::release, line);
}

Pmi1Front::Step Pmi1Front::next_event(std::string_view line) {
    const auto since = number_in<uint64_t>(line, "since");
    const auto wait = number_in<int32_t>(line, "wait");
    if (!since) return wrong_field(line, "since");
    if (!wait || *wait < -1) return wrong_field(line, "wait");
    Request request;
    request.kind = Request::Kind::ask_head;
    request.spawn.kind = SpawnOrder::Kind::event;
    request.spawn.since = *since;
    request.spawn.wait_ms = *wait < 0 ? SpawnOrder::until_it_comes : static_cast<uint32_t>(*wait);
    return ask(std::move(request));
}

Pmi1Front::Step Pmi1Front::lookup_waiting(std::string_view line) {
    const auto wait = number_in<int32_t>(line, "wait");
    const auto service = pmi1_last_field(line, "service");
    if (!wait || *wait < -1) return wrong_field(line, "wait");
    if (!service || service->empty()) return wrong_field(line, "service");
    if (service->size() > pmi1_vallen_max) return refuse(Request::Kind::lookup, "name_too_long");
    Request request;
    request.kind = Request::Kind::lookup;
    request.key = *service;
    request.number = *wait;
    request.wait = *wait != 0;
    return ask(std::move(request));
}

Pmi1Front::Step Pmi1Front::get_of(std::string_view line) {
    const auto space = pmi1_field(line, "space");
    const auto rank = number_in<int32_t>(line, "rank");
    const auto key = pmi1_field(line, "key");
    if (!space || space->empty()) return wrong_field(line, "space");
    if (!rank || *rank < 0) return wrong_field(line, "rank");
    if (!key || key->empty() || key->size() > pmi1_keylen_max) return wrong_field(line, "key");
    Request request;
    request.kind = Request::Kind::get_of;
    request.key = *key;
    request.value = *space;
    request.number = *rank;
    return ask(std::move(request));
}

void Pmi1Front::answer_own(const Reply& reply) {
    if (reply.ok)
        out_ += " rc=0 " + reply.value;
    else
        out_ += " rc=-1 msg=" + printable(reply.value, longest_reason);
}

}  // namespace launch
