// SPDX-License-Identifier: MIT
#include "core/wire/place_codec.hpp"

namespace launch {
namespace {

/// 0: none.
void encode_part(Encoder& out, const std::optional<MachinePart>& part) {
    out.number(part ? static_cast<uint64_t>(*part) + 1 : 0);
}

std::optional<MachinePart> decode_part(Decoder& in) {
    const uint32_t number = in.number32();
    if (number == 0) return std::nullopt;
    if (number > static_cast<uint32_t>(MachinePart::last) + 1) in.fail();
    return static_cast<MachinePart>(number - 1);
}

void encode_cpus(Encoder& out, const CpuSet& cpus) {
    out.number(cpus.words().size());
    for (const unsigned long word : cpus.words())
        out.number(word);
}

CpuSet decode_cpus(Decoder& in) {
    std::vector<unsigned long> words;
    const uint32_t count = in.count();
    for (uint32_t i = 0; in.ok() && i < count; ++i)
        words.push_back(in.number());
    return CpuSet::of_words(words);
}

void encode_bind(Encoder& out, const BindChoice& bind) {
    out.number(static_cast<uint64_t>(bind.how)).number(static_cast<uint64_t>(bind.part));
    out.number(bind.count).flag(bind.overload).number(bind.lists.size());
    for (const CpuSet& cpus : bind.lists)
        encode_cpus(out, cpus);
}

BindChoice decode_bind(Decoder& in) {
    BindChoice bind;
    bind.how = decode_enum(in, BindChoice::How::last);
    bind.part = decode_enum(in, MachinePart::last);
    bind.count = in.number32();
    bind.overload = in.flag();
    const uint32_t lists = in.count();
    for (uint32_t i = 0; in.ok() && i < lists; ++i)
        bind.lists.push_back(decode_cpus(in));
    // Ranks are dealt to them by a division.
    if (bind.count == 0 || (bind.how == BindChoice::How::listed && bind.lists.empty())) in.fail();
    return bind;
}

}  // namespace

void encode_place(Encoder& out, const PlaceChoice& place) {
    encode_bind(out, place.bind);
    encode_part(out, place.map.part);
    out.number(place.map.joined).number(place.map.in_each).number(place.map.cores);
    encode_part(out, place.rank_by);
    out.flag(place.report);
    out.number(static_cast<uint64_t>(place.gpus.how)).number(place.gpus.count);
}

PlaceChoice decode_place(Decoder& in) {
    PlaceChoice place;
    place.bind = decode_bind(in);
    place.map.part = decode_part(in);
    place.map.joined = in.number32();
    place.map.in_each = in.number32();
    place.map.cores = in.number32();
    place.rank_by = decode_part(in);
    place.report = in.flag();
    place.gpus.how = decode_enum(in, GpuChoice::How::last);
    place.gpus.count = in.number32();
    if (place.map.joined == 0) in.fail();  // parts are counted by it
    return place;
}

}  // namespace launch
