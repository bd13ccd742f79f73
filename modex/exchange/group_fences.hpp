// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <set>
#include <string>

#include "modex/exchange/blob_fence.hpp"

namespace launch {

/// Fences of some of the ranks (PMIx), rare and small: each group has its own, for as long as
/// somebody is in it. Where nodes may be lost also for as long as some node below may join it again
/// because it missed the end. A node may not when all ends up to that one have come by it; where
/// some were lost, when no fence is open that began before. It tells so (GroupsOver), of all its
/// subtree, each `over_step` ends; these are numbered together, and all nodes hear of each. That
/// holds as well when the tree has mended itself: who loses its parent comes to a node above it, so
/// what it may say is nothing new to those who have told for it.
///
/// So a node has no more than `over_step` ends, those that came while the last GroupsOver were on
/// their way, and, after a loss, those since the oldest fence began that is still open from before.
/// Less is not enough: without the end it would take what is said again for the group's next fence,
/// which would end before all have joined it, and who said it would wait for ever.
class GroupFences : public TreePart {
  public:
    explicit GroupFences(ExchangeState& state) : state_(state) {}

    static constexpr uint64_t over_step = 8;

    /// All members of `group` (ascending) that run here, have not exited and have not `left`, have
    /// joined.
    void join(const Members& group, std::string blob, const std::set<uint32_t>& left);
    /// False: it names ranks that there are not, or is not what may come now.
    bool from_child(NodeIndex child, FenceUp message);
    bool from_parent(FenceDown message);
    void over_at(NodeIndex child, const GroupsOver& message);
    /// A rank of this node or below it.
    void exited(uint32_t rank);
    void split_child(NodeIndex whole, NodeIndex part) override;
    void new_parent() override;
    void advance() override;

    /// Number of ends that may have to be sent again.
    size_t kept() const;

  private:
    bool is_group(const Members& group) const;
    BlobFence& of(const Members& group);
    void note_end(uint64_t number);
    void tell_over();
    void forget();
    uint64_t over_below() const;

    ExchangeState& state_;
    std::map<Members, BlobFence> fences_;
    // Where nodes may be lost.
    uint64_t over_ = 0;       ///< GroupsOver::number, of this node alone ...
    uint64_t forgotten_ = 0;  ///< the same for its subtree, as reported to the parent
};

}  // namespace launch
