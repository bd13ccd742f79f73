#pragma once

#include <map>
#include <set>
#include <string>

#include "modex/exchange/exchange_state.hpp"
#include "modex/exchange/fence_gate.hpp"

namespace launch {

/// PMIx's fence over all ranks, at one node. Contributions are opaque: put end to end on the way
/// up; on the way down each node gets those from outside its subtree, since it has its own.
class BlobFence {
  public:
    explicit BlobFence(ExchangeState& state);

    /// All ranks here that still live and have not `left` have joined. False: they are in the fence
    /// already.
    bool join_all(std::string blob, bool collect, const std::set<uint32_t>& left);
    void exited(uint32_t rank);
    bool from_child(NodeIndex child, FenceUp message);
    bool from_parent(FenceDown message);
    void advance();
    /// As in CardFence.
    void split_child(NodeIndex whole, NodeIndex part) { gate_.split_child(whole, part); }
    void say_again();

  private:
    void pass_up();
    void open(const std::string& others);
    std::string blobs_without(NodeIndex child) const;

    ExchangeState& state_;
    FenceGate gate_;
    std::string own_;
    std::map<NodeIndex, std::string> below_;
    FenceDown last_;         ///< the end of the fence before, for who has missed it
    uint64_t sequence_ = 0;  ///< fences that are complete
    bool joined_ = false;
    bool collect_ = false;
};

}  // namespace launch
