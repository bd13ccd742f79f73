#pragma once

#include <set>
#include <string>

#include "modex/exchange/contributions.hpp"
#include "modex/exchange/exchange_state.hpp"
#include "modex/exchange/fence_gate.hpp"
#include "modex/exchange/gather_round.hpp"
#include "modex/exchange/tree_part.hpp"

namespace launch {

/// PMIx's fence over all ranks, at one node. Contributions are opaque. What is small goes along: up
/// with the fence, put together, and down with its end, to each node those from outside its
/// subtree, since it has its own. What is large is withheld; when all have joined, the root says
/// how it is to go, and that is a GatherRound.
class BlobFence : public TreePart {
  public:
    BlobFence(ExchangeState& state, ModexChoice asked);

    /// All ranks here that still live and have not `left` have joined. False: they are in the fence
    /// already.
    bool join_all(std::string blob, bool collect, const std::set<uint32_t>& left);
    void exited(uint32_t rank);
    bool from_child(NodeIndex child, FenceUp message);
    bool from_child(NodeIndex child, const GatherReport& message);
    bool from_child(NodeIndex child, GatherPieces message);
    bool from_parent(FenceDown message);
    bool from_parent(const GatherOrder& message);
    bool from_parent(GatherPieces message);
    bool from_peer(uint32_t number, PeerPieces message);
    void advance() override;
    void lose_peers() override;
    void split_child(NodeIndex whole, NodeIndex part) override;
    void new_parent() override;

  private:
    /// Of the fence that is being joined: this node's subtree.
    struct Coming {
        Contributions all;      ///< those that came along
        bool collect = false;   ///< some want them
        bool complete = true;   ///< none have been withheld
        uint64_t withheld = 0;  ///< bytes
        uint32_t peers = 0;     ///< as in FenceUp, of those below
        bool peers_lost = false;

        uint64_t bytes() const;
    };

    void pass_up();
    bool waits_for_peers();
    void decide();
    GatherOrder order() const;
    void open();
    void begin_round(const GatherOrder& order);
    bool in_round(bool taken);
    void end_round();
    void start_next(uint64_t sequence);

    ExchangeState& state_;
    const ModexChoice asked_;
    FenceGate gate_;
    Coming coming_;
    GatherRound round_;      ///< of the last fence
    Contributions last_;     ///< what came with its end, for who has missed that
    uint64_t sequence_ = 0;  ///< fences that all have joined
    bool joined_ = false;
    bool asked_for_peers_ = false;
    /// The fence that is decided about waited until all have peers: what opens them at the nodes
    /// below is on its way before an order.
    bool waited_ = false;
};

}  // namespace launch
