#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "modex/exchange/exchange_state.hpp"
#include "modex/exchange/tree_part.hpp"

namespace launch {

/// Fences of some of the ranks (PMIx): rare and small, so the root counts. Joining goes straight
/// up; when all are there everybody's contributions go down to all nodes. Members that have exited
/// will never come: as in a fence of all, the others go on without them or the fence is broken.
///
/// Where nodes may be lost (ExchangeSettings::heals) an end may be lost with them on its way down.
/// Whoever comes to another parent then says again who has joined, for itself and for those below
/// it, and the root, which keeps the ends, answers. For that:
///  - The root numbers the ends, those of all groups together. Who joins says which one it has
///  heard of last. If that is before the end of the group's last fence, it has joined that fence;
///  who joins the next one has heard of it.
///  - An end is kept as long as some node may say again who joined that fence. A node may not when
///  all ends up to that one have come by it; where some were lost, when it waits for no fence that
///  it joined, or passed on, before. It tells so (GroupsOver), of all its subtree, each
///  `over_step` ends. That holds as well when the tree has mended itself: who loses its parent
///  comes to a node above it, so what it may say is nothing new to those who have told for it.
///
/// So the root has no more than `over_step` ends, those that came while the last GroupsOver were on
/// their way, and, after a loss, those since the oldest fence began that is still open from before.
/// Less is not enough: without the end the root would take what is said again for the group's next
/// fence, which would end before all have joined it, and who said it would wait for ever.
class GroupFence : public TreePart {
  public:
    explicit GroupFence(ExchangeState& state) : state_(state) {}

    static constexpr uint64_t over_step = 8;

    /// All members of `group` (ascending) that run here, have not exited and have not `left`, have
    /// joined.
    void join(const std::vector<uint32_t>& group, std::string blob, const std::set<uint32_t>& left);
    /// False: it names ranks that there are not, or that are no members.
    bool from_child(NodeIndex child, GroupUp message);
    void from_parent(const GroupDown& message);
    void over_at(NodeIndex child, const GroupsOver& message);
    void advance() override;
    /// A rank of this node or, at the root, of any.
    void exited();
    void new_parent() override;

    /// Ends that may have to be told again.
    size_t kept() const { return ended_.size(); }

  private:
    struct Open {
        std::set<uint32_t> joined;
        std::string blob;
        bool broken = false;
    };
    struct Ended {
        uint64_t number = 0;
        std::string blob;
    };
    using Group = std::vector<uint32_t>;
    using Fences = std::map<Group, Open>;
    void handle(std::optional<NodeIndex> child, GroupUp message);
    void pass_up(GroupUp message);
    void note_end(const GroupDown& message);
    bool all_gone(const std::vector<uint32_t>& ranks) const;
    bool awaited(const GroupDown& message);
    void note_over();
    uint64_t over_everywhere() const;
    /// Ends the fence if everybody who can come has come; returns the next one.
    Fences::iterator end_if_complete(Fences::iterator at);

    ExchangeState& state_;
    Fences open_;
    uint64_t heard_ = 0;  ///< the last end that this node has heard of; at the root, how many
    // Where nodes may be lost.
    std::vector<GroupUp> pending_;       ///< passed up, until their fence is over
    std::map<Group, uint64_t> waiting_;  ///< fences that ranks here have joined: heard_ then
    uint64_t over_ = 0;                  ///< GroupsOver::number, of this node alone ...
    uint64_t told_over_ = 0;             ///< ... of its subtree, as the parent was told
    std::map<Group, Ended> ended_;       ///< at the root: the last of each group
};

}  // namespace launch
