// SPDX-License-Identifier: MIT
#include "modex/exchange/collective.hpp"

#include <utility>

#include "core/base/codec.hpp"

namespace launch {
namespace {

void put_members(Encoder& out, const SpaceMemberList& members) {
    out.number(members.size());
    for (const SpaceMembers& each : members) {
        out.text(each.space).flag(each.all).number(each.ranks.size());
        uint32_t before = 0;
        for (const uint32_t rank : each.ranks)
            out.number(rank - std::exchange(before, rank));
    }
}

void take_ranks(Decoder& in, std::vector<uint32_t>& ranks) {
    const uint32_t count = in.count();
    uint64_t rank = 0;
    for (uint32_t i = 0; i < count && in.ok(); ++i) {
        const uint32_t step = in.number32();
        rank += step;
        if (rank > UINT32_MAX || (i > 0 && step == 0)) in.fail();
        if (in.ok()) ranks.push_back(static_cast<uint32_t>(rank));
    }
}

SpaceMemberList take_members(Decoder& in) {
    SpaceMemberList members;
    const uint32_t count = in.count();
    for (uint32_t i = 0; i < count && in.ok(); ++i) {
        SpaceMembers& each = members.emplace_back();
        each.space = in.text();
        each.all = in.flag();
        take_ranks(in, each.ranks);
        if (i > 0 && members[i - 1].space >= each.space) in.fail();
    }
    return members;
}

void put_facts(Encoder& out, const SpaceFacts& facts) {
    out.text(facts.space).number(facts.ranks).number(facts.universe_size).number(facts.nodes);
    out.text(facts.node_map).number(facts.programs.size());
    for (const SpaceFacts::Program& program : facts.programs)
        out.number(program.ranks).texts(program.argv).text(program.wdir);
}

SpaceFacts take_facts(Decoder& in) {
    SpaceFacts facts;
    facts.space = in.text();
    facts.ranks = in.number32();
    facts.universe_size = in.number32();
    facts.nodes = in.number32();
    facts.node_map = in.text();
    const uint32_t programs = in.count();
    for (uint32_t i = 0; i < programs && in.ok(); ++i) {
        SpaceFacts::Program& program = facts.programs.emplace_back();
        program.ranks = in.number32();
        program.argv = in.texts();
        program.wdir = in.text();
    }
    return facts;
}

}  // namespace

std::string Collective::encode() const {
    Encoder out;
    out.number(static_cast<uint64_t>(kind)).text(group);
    put_members(out, members);
    return out.take();
}

std::optional<Collective> Collective::decode(std::string_view bytes) {
    Decoder in(bytes);
    Collective collective;
    collective.kind = decode_enum(in, Kind::fence);
    collective.group = in.text();
    collective.members = take_members(in);
    return checked(in, std::move(collective));
}

std::string CollectivePart::encode() const {
    Encoder out;
    put_members(out, present);
    out.number(round).flag(wants_context).text(data);
    return out.take();
}

std::optional<CollectivePart> CollectivePart::decode(std::string_view bytes) {
    Decoder in(bytes);
    CollectivePart part;
    part.present = take_members(in);
    part.round = in.number();
    part.wants_context = in.flag();
    part.data = in.text();
    return checked(in, std::move(part));
}

std::string CollectiveResult::encode() const {
    Encoder out;
    out.number(context).number(spaces.size());
    for (const SpaceFacts& facts : spaces)
        put_facts(out, facts);
    out.texts(data);
    return out.take();
}

std::optional<CollectiveResult> CollectiveResult::decode(std::string_view bytes) {
    Decoder in(bytes);
    CollectiveResult result;
    result.context = in.number();
    const uint32_t spaces = in.count();
    for (uint32_t i = 0; i < spaces && in.ok(); ++i)
        result.spaces.push_back(take_facts(in));
    result.data = in.texts();
    return checked(in, std::move(result));
}

}  // namespace launch
