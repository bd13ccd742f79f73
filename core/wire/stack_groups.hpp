// SPDX-License-Identifier: MIT
#pragma once

#include <compare>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "core/base/codec.hpp"

namespace launch {

/// The place in a program where a process is.
struct Stack {
    std::string program;              ///< the process's name
    std::vector<std::string> frames;  ///< the functions that it is in, the outermost first
    std::string note;  ///< "stopped", or why there are no frames; empty: nothing special

    auto operator<=>(const Stack&) const = default;
};

/// Ranks grouped by where they are, as D. C. Arnold et al., "Stack Trace Analysis for Large Scale
/// Debugging" (IPDPS 2007), group them. Groups of several nodes merge into one, so that what comes
/// to the head depends on how many different places there are, not on the number of ranks.
class StackGroups {
  public:
    using Ranks = std::set<uint32_t>;

    /// The middle of a stack that is too deep is left out. When there is too much text, ranks at
    /// further places form one group.
    void add(Stack stack, Ranks ranks);
    void merge(StackGroups other);
    bool empty() const { return groups_.empty(); }
    Ranks all_ranks() const;

    struct Group {
        Stack stack;
        Ranks ranks;
    };
    /// The largest groups first.
    std::vector<Group> by_size() const;

    /// A group is encoded by how its frames differ from those of the group before.
    void encode(Encoder& out) const;
    static StackGroups decode(Decoder& in);

    bool operator==(const StackGroups& other) const { return groups_ == other.groups_; }

    /// No stack is deeper, and the text of all groups together is not longer. A message has no more
    /// ranks, each counted in every group.
    static constexpr size_t most_frames = 512;
    static constexpr size_t most_text = 16U << 20;
    static constexpr size_t most_ranks = 4U << 20;

  private:
    std::map<Stack, Ranks> groups_;
    size_t text_ = 0;  ///< bytes of all stacks
};

/// Lines for a user: "64 ranks in 2 groups", and for each group its ranks and functions, the
/// innermost first, as in "[0-61,63] MPI_Allreduce <- solve <- main".
std::vector<std::string> stack_lines(const StackGroups& groups);

}  // namespace launch
