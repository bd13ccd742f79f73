#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "modex/exchange/gather_messages.hpp"

namespace launch {

/// What the modex servers of neighbouring nodes tell each other, as values. encode() and decode()
/// make and read the payload of one modex frame; decode() yields nothing for bytes that are not
/// exactly one well-formed message.

/// Two fences run apart from each other: that of the key-value space (PMI-1 and PMI-2), and that
/// of PMIx, whose contributions are opaque here.
enum class Channel : uint8_t { cards = 0, blobs = 1 };
inline constexpr size_t channels = 2;

struct NewPattern {
    std::string text;    ///< see key_pattern.hpp
    uint32_t owner = 0;  ///< of a literal

    bool operator==(const NewPattern&) const = default;
};

/// Up: every rank of the sender's subtree has joined the fence, or has exited.
struct FenceUp {
    Channel channel = Channel::cards;
    uint64_t sequence = 0;     ///< the first fence of a channel is 1
    uint32_t absent = 0;       ///< ranks that exited without joining
    uint32_t absent_rank = 0;  ///< one of them
    bool changed = false;      ///< a key that was there before has got another value
    bool collect = false;      ///< blobs: every node wants all of them
    bool complete = true;      ///< what comes along is all that is new in the subtree
    uint64_t bytes = 0;        ///< size of what is new in the subtree
    std::vector<NewPattern> patterns;
    std::string cards;          ///< a card batch: keys that no fence has made visible before
    std::string changes;        ///< a card batch: keys that had another value
    uint32_t peers = 0;         ///< blobs: nodes that have links to all others
    bool peers_lost = false;    ///< and some have lost theirs
    std::vector<Piece> pieces;  ///< blobs: what was contributed, each whole
};

/// Down: every rank of the job has joined.
struct FenceDown {
    Channel channel = Channel::cards;
    uint64_t sequence = 0;
    bool forget = false;   ///< what is cached of others may be out of date
    bool complete = true;  ///< with `cards`, the receiver knows all that is new outside its subtree
    std::vector<NewPattern> patterns;
    std::string cards;
    std::vector<Piece> pieces;  ///< blobs: the contributions from outside the receiver's subtree
};

/// Towards the owner: its card with this key (cards), or all it published (blobs, no key).
struct Ask {
    Channel channel = Channel::cards;
    uint32_t owner = 0;
    std::string key;
};

struct Answer {
    Channel channel = Channel::cards;
    uint32_t owner = 0;
    uint64_t epoch = 0;  ///< fences that were complete where the value was found
    bool found = false;
    bool sent = false;  ///< the receiver has been sent the card before: no value
    std::string key;
    std::string value;
};

/// Down: all cards of your subtree, please. Up: all others, please.
struct Want {};

/// The answer to Want, perhaps in several pieces.
struct Cards {
    uint64_t epoch = 0;
    bool last = true;
    std::string cards;
};

/// Up to the root, which keeps the published names.
struct NameAsk {
    enum class Verb : uint8_t {
        publish,
        publish_once,  ///< the first who looks it up takes it away
        unpublish,
        lookup,
        dead,     ///< of no name: which ranks have died
        await,    ///< a lookup that waits until somebody has published it
        give_up,  ///< of that ticket, which waits: not any more
    };
    Verb verb = Verb::lookup;
    uint64_t ticket = 0;
    std::string name;
    std::string value;
    bool again = false;  ///< the answer may have been lost: what is asked for may be done already
};

struct NameAnswer {
    uint64_t ticket = 0;
    bool ok = false;
    std::string value;
};

/// Up to the root: local members of a fence of some ranks only have joined it.
struct GroupUp {
    std::vector<uint32_t> group;   ///< its ranks, ascending
    std::vector<uint32_t> joined;  ///< those of them who speak here, ascending
    uint64_t after = 0;            ///< GroupDown::number: the last one its sender has heard of
    std::string blob;
};

/// Down: the whole group has joined.
struct GroupDown {
    std::vector<uint32_t> group;
    uint64_t number = 0;  ///< of such ends, those of all groups counted together
    std::string blob;     ///< all contributions
};

/// Up: of fences that ended with this number or an earlier one nothing comes from here any more.
struct GroupsOver {
    uint64_t number = 0;
};

/// To all nodes but those it has come through: what a rank tells the others (PMIx).
struct Told {
    std::string data;
};

/// Up: tell me of ranks that die, and of those that have died.
struct WatchDeaths {};

/// Up, to the root: these ranks have died. Down, to who watches: the same, each once.
struct Deaths {
    std::vector<uint32_t> ranks;  ///< ascending
};

/// PeerPieces come from peers only, all others from neighbours in the tree.
using ExchangeMessage =
    std::variant<FenceUp, FenceDown, Ask, Answer, Want, Cards, NameAsk, NameAnswer, GroupUp,
                 GroupDown, Told, WatchDeaths, Deaths, GatherOrder, GatherReport, GatherPieces,
                 PeerPieces, GroupsOver>;

std::string encode(const ExchangeMessage& message);
std::optional<ExchangeMessage> decode_exchange(std::string_view payload);

}  // namespace launch
