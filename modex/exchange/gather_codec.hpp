#pragma once

#include <vector>

#include "core/base/codec.hpp"
#include "modex/exchange/gather_messages.hpp"

namespace launch {

/// Of exchange_messages, what is about large contributions.
void write(Encoder& out, const std::vector<Piece>& pieces);
void write(Encoder& out, const GatherOrder& m);
void write(Encoder& out, const GatherReport& m);
void write(Encoder& out, const GatherPieces& m);
void write(Encoder& out, const PeerPieces& m);
void read(Decoder& in, std::vector<Piece>& pieces);
void read(Decoder& in, GatherOrder& m);
void read(Decoder& in, GatherReport& m);
void read(Decoder& in, GatherPieces& m);
void read(Decoder& in, PeerPieces& m);

}  // namespace launch
