// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "modex/exchange/contributions.hpp"
#include "modex/exchange/gather_round.hpp"
#include "modex/exchange/tree_fence.hpp"

namespace launch {

/// PMIx's fence at one node, over all ranks or a group. Contributions are opaque. Small ones travel
/// with the fence: up with it, concatenated, and down with its end, to each node those from outside
/// its subtree, since it has its own. Large ones are withheld; when all nodes have joined, the root
/// orders how they travel, which is a GatherRound. Contributions of a group always travel with the
/// fence, in parts.
class BlobFence : public TreeFence {
  public:
    BlobFence(ExchangeState& state, ModexChoice asked, const Members& group = {});

    /// All ranks here that still live and have not `left` have joined. False: they are in the fence
    /// already.
    bool join_all(std::string blob, bool collect, const std::set<uint32_t>& left);
    /// Nobody has joined it, here or below, or begun to.
    bool rests() const { return idle() && !joined_ && coming_.all.bytes() == 0; }
    void advance() override;
    void new_parent() override;
    void lose_peers() override;

    // These are messages of a round; false: the message must not come now.
    bool ordered(const GatherOrder& message);
    template <class Message>
    bool round_from_child(NodeIndex child, Message message) {
        return in_round(round_.from_child(child, std::move(message)));
    }
    bool round_from_parent(GatherPieces message) {
        return in_round(round_.from_parent(std::move(message)));
    }
    bool from_peer(uint32_t number, PeerPieces message);

  private:
    /// The fence that is being joined, for this node's subtree.
    struct Coming {
        Contributions all;  ///< those that came along
        BlobsUp sum;        ///< without this node's peers

        void add_bytes(uint64_t more) { sum.bytes += std::min(more, UINT64_MAX - sum.bytes); }
    };
    /// False: one of the pieces is not what may come from there.
    bool take(std::vector<Piece>& pieces, std::optional<NodeIndex> from);
    bool take(NodeIndex child, LoadUp load) override;
    bool take(uint64_t number, LoadDown load) override;
    std::vector<LoadUp> loads_up() override;
    bool may_end() override;
    void open(uint64_t number) override;
    LoadsDown loads_down(NodeIndex child) override;
    void done() override;
    void tell_again(NodeIndex child) override;

    LoadsDown loads_but(std::optional<NodeIndex> child) const;
    uint64_t most_alone() const;
    bool collects() const { return coming_.sum.collect || !is_of_all(); }
    void let_out(std::string all);
    void leave_last();
    bool waits_for_peers();
    GatherOrder order() const;
    void begin_round(const GatherOrder& order);
    bool in_round(bool taken);
    void end_round();

    const ModexChoice asked_;
    Coming coming_;
    GatherRound round_;  ///< the round of the last fence
    /// The contributions that came with the last end, while it is reported, and afterwards for
    /// children that have missed it. Null: none.
    std::shared_ptr<const Contributions> ended_;
    bool joined_ = false;  ///< the ranks here wait
    bool asked_for_peers_ = false;
    /// The fence that is decided about waited until all have peers: what opens them at the nodes
    /// below is on its way before an order.
    bool waited_ = false;
};

}  // namespace launch
