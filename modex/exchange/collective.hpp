// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace launch {

/// Ranks of one job of the tree.
struct SpaceMembers {
    std::string space;            ///< the job's id
    bool all = false;             ///< all of its ranks
    std::vector<uint32_t> ranks;  ///< else these, ascending

    // NOLINTNEXTLINE(modernize-use-nullptr): clang 14 takes what <=> is compared with for a pointer
    auto operator<=>(const SpaceMembers&) const = default;
};
using SpaceMemberList = std::vector<SpaceMembers>;  ///< ascending, each job once

/// An operation of PMIx that ranks of one or several jobs do together, and that the launcher has to
/// carry out.
struct Collective {
    enum class Kind : uint8_t {
        connect,
        disconnect,
        group,    ///< PMIx_Group_construct
        ungroup,  ///< PMIx_Group_destruct
        fence,    ///< of members of several jobs
    };
    Kind kind = Kind::connect;
    std::string group;  ///< what the group is called
    SpaceMemberList members;

    // NOLINTNEXTLINE(modernize-use-nullptr): as above
    auto operator<=>(const Collective&) const = default;
    std::string encode() const;
    static std::optional<Collective> decode(std::string_view bytes);
};

/// The contribution of one node.
struct CollectivePart {
    SpaceMemberList present;     ///< those of the members that are here and have joined
    uint64_t round = 0;          ///< how often the same members have done the same, as it knows
    bool wants_context = false;  ///< a number that no other group of the tree has
    std::string data;            ///< for all other nodes

    std::string encode() const;
    static std::optional<CollectivePart> decode(std::string_view bytes);
};

/// The facts that a node needs to register a job with libpmix that has no ranks on it.
struct SpaceFacts {
    struct Program {
        uint32_t ranks = 0;
        std::vector<std::string> argv;
        std::string wdir;
    };
    std::string space;
    uint32_t ranks = 0;
    uint32_t universe_size = 0;
    uint32_t nodes = 0;
    std::string node_map;  ///< see encode_node_map()
    std::vector<Program> programs;
};

/// The result that every participating node gets.
struct CollectiveResult {
    uint64_t context = 0;            ///< of a group that asked for it; else 0
    std::vector<SpaceFacts> spaces;  ///< of connect and group, where there are several
    std::vector<std::string> data;

    std::string encode() const;
    static std::optional<CollectiveResult> decode(std::string_view bytes);
};

}  // namespace launch
