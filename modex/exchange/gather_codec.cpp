#include "modex/exchange/gather_codec.hpp"

namespace launch {
namespace {

Piece take_piece(Decoder& in) {
    Piece piece;
    piece.of = in.number32();
    piece.offset = in.number();
    piece.size = in.number();
    piece.bytes = in.text();
    const bool within =
        piece.offset <= piece.size && piece.bytes.size() <= piece.size - piece.offset;
    if (!within) in.fail();
    return piece;
}

}  // namespace

void write(Encoder& out, const std::vector<Piece>& pieces) {
    out.number(pieces.size());
    for (const Piece& piece : pieces)
        out.number(piece.of).number(piece.offset).number(piece.size).text(piece.bytes);
}

void read(Decoder& in, std::vector<Piece>& pieces) {
    const uint32_t count = in.count();
    for (uint32_t i = 0; i < count && in.ok(); ++i)
        pieces.push_back(take_piece(in));
}

void write(Encoder& out, const GatherOrder& m) {
    out.number(m.sequence).number(m.attempt).number(static_cast<uint64_t>(m.way));
    out.number(m.nodes).number(m.bytes).flag(m.peers_lost);
}

void read(Decoder& in, GatherOrder& m) {
    m.sequence = in.number();
    m.attempt = in.number32();
    const uint64_t way = in.number();
    if (way >= gather_ways || m.attempt == 0) in.fail();
    m.way = static_cast<GatherWay>(way % gather_ways);
    m.nodes = in.number32();
    m.bytes = in.number();
    m.peers_lost = in.flag();
}

void write(Encoder& out, const GatherReport& m) {
    out.number(m.sequence).number(m.attempt).flag(m.done);
}

void read(Decoder& in, GatherReport& m) {
    m.sequence = in.number();
    m.attempt = in.number32();
    m.done = in.flag();
}

void write(Encoder& out, const GatherPieces& m) {
    out.number(m.sequence).number(m.attempt).flag(m.last);
    write(out, m.pieces);
}

void read(Decoder& in, GatherPieces& m) {
    m.sequence = in.number();
    m.attempt = in.number32();
    m.last = in.flag();
    read(in, m.pieces);
}

void write(Encoder& out, const PeerPieces& m) {
    out.number(m.sequence).number(m.attempt).number(m.step);
    write(out, m.pieces);
}

void read(Decoder& in, PeerPieces& m) {
    m.sequence = in.number();
    m.attempt = in.number32();
    m.step = in.number32();
    read(in, m.pieces);
}

}  // namespace launch
