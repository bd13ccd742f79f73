// SPDX-License-Identifier: MIT
#include "core/wire/input_messages.hpp"

#include "core/base/codec.hpp"

namespace launch {

std::string InputPiece::encode() const {
    return Encoder{}.number(offset).raw(bytes).take();
}

std::optional<InputPiece> InputPiece::decode(std::string_view payload) {
    Decoder in(payload);
    InputPiece piece;
    piece.offset = in.number();
    piece.bytes = in.rest();
    if (!in.ok() || piece.end() < piece.offset) return std::nullopt;
    return piece;
}

std::string InputGrant::encode() const {
    return Encoder{}.number(had).number(granted).take();
}

std::optional<InputGrant> InputGrant::decode(std::string_view payload) {
    Decoder in(payload);
    const InputGrant grant{in.number(), in.number()};
    if (grant.had > grant.granted) return std::nullopt;
    return checked(in, grant);
}

}  // namespace launch
