// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "modex/exchange/gather_messages.hpp"
#include "modex/front/names.hpp"

namespace launch {

/// Messages between the modex servers of neighbouring nodes, as values. encode() and decode() make
/// and read the payload of one modex frame; decode() returns nothing for bytes that are not exactly
/// one well-formed message.

/// Two families that run apart from each other: the key-value space (PMI-1 and PMI-2), and PMIx,
/// whose contributions are opaque here.
enum class Channel : uint8_t { cards = 0, blobs = 1 };

struct NewPattern {
    std::string text;    ///< see key_pattern.hpp
    uint32_t owner = 0;  ///< of a literal

    bool operator==(const NewPattern&) const = default;
};

/// The ranks that are in a fence, ascending; none: all of the job.
using Members = std::vector<uint32_t>;

/// Data that goes up with a fence of the key-value space.
struct CardsUp {
    bool changed = false;  ///< a key that was there before has got another value
    bool complete = true;  ///< what comes along is all that is new in the subtree
    uint64_t bytes = 0;    ///< size of what is new in the subtree
    std::vector<NewPattern> patterns;
    std::string cards;    ///< a card batch: keys that no fence has made visible before
    std::string changes;  ///< a card batch: keys that had another value
};

/// Data that goes up with a fence of PMIx.
struct BlobsUp {
    bool collect = false;       ///< every node wants all contributions
    bool complete = true;       ///< those of the subtree have come along
    uint64_t bytes = 0;         ///< size of what was contributed in the subtree
    uint32_t peers = 0;         ///< nodes that have links to all others
    bool peers_lost = false;    ///< and some have lost theirs
    std::vector<Piece> pieces;  ///< what was contributed, each whole
};

using LoadUp = std::variant<CardsUp, BlobsUp>;

/// Up: every member in the sender's subtree has joined the fence, or has exited. Large messages
/// come in parts, of which only the last has that meaning.
struct FenceUp {
    Members members;
    uint64_t after = 0;        ///< FenceDown::number: the last one its sender had heard of
    uint32_t counted = 0;      ///< members that it speaks for, those that are absent among them
    uint32_t absent = 0;       ///< members that exited without joining
    uint32_t absent_rank = 0;  ///< one of them
    LoadUp load;
    bool last = true;  ///< no other part follows; the sums come with this one
};

/// Data that goes down with a fence of the key-value space.
struct CardsDown {
    bool forget = false;   ///< what is cached of others may be out of date
    bool complete = true;  ///< with `cards`, the receiver knows all that is new outside its subtree
    std::vector<NewPattern> patterns;
    std::string cards;
};

/// Data that goes down with a fence of PMIx: the contributions from outside the receiver's subtree.
struct BlobsDown {
    std::vector<Piece> pieces;
};

using LoadDown = std::variant<CardsDown, BlobsDown>;

/// Down: every member has joined. In parts, as the way up.
struct FenceDown {
    Members members;
    uint64_t number = 0;  ///< from 1: of the ends of such fences, those of all groups together
    LoadDown load;
    bool last = true;
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

/// Up to the root, which keeps what all jobs of the tree share (RootDesk): the published names,
/// and what their ranks do together.
struct NameAsk {
    enum class Verb : uint8_t {
        publish,
        publish_once,  ///< the first who looks it up takes it away
        unpublish,
        unpublish_all,  ///< all that the rank who asks has published whose names begin so
        lookup,
        dead,     ///< of no name: which ranks have died
        await,    ///< a lookup that waits until somebody has published it
        give_up,  ///< of that ticket, which waits: not any more
        fetch,    ///< name: another job; value: its rank, of which all that it published is wanted
        collective,  ///< name, value: see Collective
    };
    static constexpr uint32_t no_rank = UINT32_MAX;

    Verb verb = Verb::lookup;
    uint64_t ticket = 0;
    std::string name;
    std::string value;
    bool again = false;  ///< the answer may have been lost: what is asked for may be done already
    NameScope scope = {};
    uint32_t rank = no_rank;  ///< who asks
};

struct NameAnswer {
    uint64_t ticket = 0;
    bool ok = false;
    std::string value;
};

/// Up: of fences of groups that ended with this number or an earlier one nothing comes from here
/// any more.
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

/// A part of the bytes of a large message, such as a large value of one key, or everything that a
/// rank has published. Other messages may come between the parts.
struct MessagePart {
    bool first = false;
    bool last = false;
    std::string bytes;
};

/// PeerPieces come from peers only, all others from neighbours in the tree.
using ExchangeMessage =
    std::variant<FenceUp, FenceDown, Ask, Answer, Want, Cards, NameAsk, NameAnswer, Told,
                 WatchDeaths, Deaths, GatherOrder, GatherReport, GatherPieces, PeerPieces,
                 GroupsOver, MessagePart>;

std::string encode(const ExchangeMessage& message);
/// The encoded message as it is to be sent, in order: in parts if it is larger than a few others.
std::vector<std::string> in_parts(std::string message);
std::optional<ExchangeMessage> decode_exchange(std::string_view payload);

}  // namespace launch
