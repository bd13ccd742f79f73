// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "modex/exchange/blob_fence.hpp"
#include "modex/exchange/bulk_fetch.hpp"
#include "modex/exchange/card_fence.hpp"
#include "modex/exchange/death_roll.hpp"
#include "modex/exchange/event_flood.hpp"
#include "modex/exchange/group_fences.hpp"
#include "modex/exchange/lookup.hpp"
#include "modex/exchange/names.hpp"

namespace launch {

/// The exchange of contact cards at one node of the tree: an all-gather in pieces. Sans I/O:
/// messages and local requests in, messages and answers out (ExchangeSink), so that a simulator
/// can drive any number of them. Needs the tree's links only.
///
/// After BNR (Toonen et al., "Interfacing Parallel Jobs to Process Managers", HPDC 2001): put,
/// fence, get. A fence's algorithm is chosen by size (CardFence): gather and broadcast along
/// the tree, or on demand, where cards stay until somebody reads them.
class Exchange {
  public:
    Exchange(ExchangeSettings settings, ModexChoice algorithm, ExchangeSink& sink);

    /// A subtree below this node, started or about to be: the ranks of each of its nodes.
    void add_child(NodeIndex child, const NodeRuns& ranks);
    /// Removes a child that could not be started, or of which nothing is left. Its replacement must
    /// have been added before, because fences may continue.
    void remove_child(NodeIndex child);
    /// `part`, which was below `whole`, is this node's own child from now on: the nodes between are
    /// lost, and with them perhaps what was on its way. With the ranks of the part's nodes and of
    /// the others.
    void split_child(NodeIndex whole, NodeIndex part, const NodeRuns& ranks,
                     const NodeRuns& others);
    /// These ranks of a child's subtree have gone to another node of the tree; `others` stay.
    void release_child(NodeIndex whole, const NodeRuns& ranks, const NodeRuns& others);
    /// More ranks than it was known to have are in a child's subtree: these in all.
    void widen_child(NodeIndex child, const NodeRuns& ranks);
    /// The child is lost, and these ranks with it.
    void lose_child(NodeIndex child, const std::vector<uint32_t>& ranks);
    /// This node has a new parent, which knows nothing of the messages to the old one.
    void new_parent();

    /// This node, `self`, may talk to any other by ExchangeSink::to_peer() from now on; once, but
    /// at any time, and not all nodes do so at once. All nodes of the tree are numbered, also those
    /// without ranks, from 0, which is the root, to count - 1.
    void open_peers(uint32_t self, uint32_t count);
    /// False: not what that one may send now. Messages of each come in the order they were sent.
    bool from_peer(uint32_t number, std::string_view payload);
    /// That one cannot be reached, or what went between may have been lost: told to one of the two
    /// at least.
    void peer_lost(uint32_t) { lose_peers(); }
    /// They will not be opened, or not at all nodes.
    void no_peers() { lose_peers(); }

    /// A local rank publishes; visible here at once, elsewhere after the next fence.
    void put(Card card) { cards_.put(std::move(card)); }
    /// A local rank joins the fence of the key-value space. False: it is in it already.
    bool join(uint32_t rank) { return cards_.join(rank); }
    void get(uint64_t ticket, const std::string& key, int32_t owner) {
        lookup_.get(ticket, key, owner);
    }
    /// Answered once. The verb give_up is of the ticket of one that awaits a name.
    void name(NameAsk::Verb verb, uint64_t ticket, std::string name, std::string value) {
        names_.ask({verb, ticket, std::move(name), std::move(value)});
    }
    /// Sends any request to the root, with all its fields.
    void ask_root(NameAsk message) { names_.ask(std::move(message)); }
    /// To ExchangeSink::root_wants().
    void root_has(uint64_t ticket, bool found, const std::string& value) {
        names_.root_has(ticket, found, value);
    }

    /// PMIx: the local ranks that have not exited join the fence of all, or of a group, except
    /// those in `left`: they are still there, but have said that they take no part any more.
    bool join_all(std::string blob, bool collect, const std::set<uint32_t>& left = {}) {
        return blobs_.join_all(std::move(blob), collect, left);
    }
    void join_group(const std::vector<uint32_t>& group, std::string blob,
                    const std::set<uint32_t>& left = {}) {
        groups_.join(group, std::move(blob), left);
    }
    void fetch(uint64_t ticket, uint32_t owner) { lookup_.fetch(ticket, owner); }
    void resolved(uint32_t owner, const std::optional<std::string>& blob) {
        lookup_.resolved(owner, blob);
    }

    void tell_event(const std::string& data) { events_.tell(data); }

    /// A local rank has died without ending the job. The root keeps the list; a node that watches
    /// gets a message, others may ask for the list (NameAsk::Verb::dead).
    void died(uint32_t rank) { deaths_.died(rank); }
    void watch_deaths() { deaths_.watch(); }

    /// A rank of this node, or of a child's subtree, has exited: it joins no fence any more.
    void exited(uint32_t rank);
    void exited_below(uint32_t rank);
    /// A rank below was lost with its host.
    void lost_below(uint32_t rank);

    /// At the root: see GroupFences.
    size_t kept_group_ends() const { return groups_.kept(); }

    /// False: the bytes are not what that neighbour may send now.
    bool from_parent(std::string_view payload);
    bool from_child(NodeIndex child, std::string_view payload);

  private:
    void leave_child(NodeIndex child);
    void advance();
    void lose_peers();
    bool said_by_child(NodeIndex child, ExchangeMessage message);
    bool said_by_parent(ExchangeMessage message);
    bool said_in_part(std::optional<NodeIndex> child, const MessagePart& part);
    bool said_either_way(std::optional<NodeIndex> child, ExchangeMessage& message);
    bool fence_up(NodeIndex child, FenceUp message);
    bool fence_down(FenceDown message);
    Neighbour* narrow(NodeIndex child, const NodeRuns& others);

    ExchangeState state_;
    /// Messages that arrive in parts: from a child, or from the parent (nothing).
    std::map<std::optional<NodeIndex>, std::string> partial_;
    CardFence cards_;
    BlobFence blobs_;
    GroupFences groups_;
    EventFlood events_;
    DeathRoll deaths_;
    BulkFetch bulk_;
    Lookup lookup_;
    Names names_;
    /// The parts, in the order in which they get each event.
    const std::array<TreePart*, 7> parts_ = {&bulk_,   &lookup_, &cards_, &blobs_,
                                             &groups_, &names_,  &deaths_};
};

}  // namespace launch
