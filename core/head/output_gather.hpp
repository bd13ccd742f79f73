// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/job/exit_status.hpp"
#include "core/wire/messages.hpp"

namespace launch {

/// A rank of the job (space 0), or of processes that ranks asked for.
struct RankOfSpace {
    uint32_t space = 0;
    uint32_t rank = 0;

    auto operator<=>(const RankOfSpace&) const = default;
};

/// Ranks that wrote the same to one stream, and ended alike.
struct GatheredGroup {
    std::vector<RankOfSpace> ranks;
    std::vector<std::string> hosts;    ///< of these ranks
    std::optional<ExitStatus> status;  ///< none: the end of these ranks is not known
    std::string text;
};

/// All output of a job. The groups of a stream are sorted by size, the largest first; among equal
/// sizes the group with the lowest rank is first.
struct GatheredOutput {
    std::vector<GatheredGroup> out;
    std::vector<GatheredGroup> err;
    bool exits_differ = false;
    bool one_rank_a_host = true;
};

/// Holds the output of a job's ranks and of spawned processes until the end of the job. Sans I/O.
///
/// Texts are paths in a tree whose edges are lines. So a common beginning is held once, and ranks
/// with equal output are at the same position. The limit applies to the bytes held, not to the
/// bytes written: a thousand times the same megabyte is one megabyte.
class OutputGather {
  public:
    /// Bytes that differ, with some for each line of them.
    static constexpr size_t usual_limit = 64u << 20;
    explicit OutputGather(size_t limit = usual_limit) : limit_(limit) {}

    /// False: that was taken, and it is more than the limit.
    bool feed(RankOfSpace rank, Stream stream, std::string_view bytes);
    void ended(RankOfSpace rank, const ExitStatus& status) { ends_[rank] = status; }
    /// The host of each rank of that space: these are all that it has.
    void placed(uint32_t space, std::vector<std::string> hosts) {
        hosts_[space] = std::move(hosts);
    }

    /// The output of the rank so far.
    std::string text_of(RankOfSpace rank, Stream stream) const;
    /// The ranks that have written anything, each with the stream.
    std::vector<std::pair<RankOfSpace, Stream>> writers() const;
    /// The groups of all ranks that were placed.
    GatheredOutput groups() const;

  private:
    using Place = uint32_t;
    static constexpr Place root = 0;
    struct Step {
        Place from = root;
        uint32_t line = 0;
    };
    struct Cursor {
        Place place = root;
        std::string partial;  ///< an unfinished line
    };
    using Key = std::pair<RankOfSpace, bool>;  ///< a rank, and whether it is of standard error

    void go(Cursor& cursor, std::string_view line);
    static Key key_of(RankOfSpace rank, Stream stream) { return {rank, stream == Stream::err}; }
    std::string text_at(const Cursor& cursor) const;
    std::vector<GatheredGroup> groups_of(Stream stream) const;

    size_t limit_;
    size_t held_ = 0;
    std::unordered_map<std::string, uint32_t> line_numbers_;
    std::vector<const std::string*> lines_;
    std::vector<Step> steps_{1};                    ///< how each place is reached; the root is not
    std::unordered_map<uint64_t, Place> branches_;  ///< by place and line
    std::map<Key, Cursor> cursors_;
    std::map<RankOfSpace, ExitStatus> ends_;
    std::map<uint32_t, std::vector<std::string>> hosts_;  ///< by space, of each rank
};

}  // namespace launch
