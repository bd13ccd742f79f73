#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/job/exit_status.hpp"
#include "core/wire/messages.hpp"

namespace launch {

/// Ranks that wrote the same to one stream, and ended alike.
struct GatheredGroup {
    std::vector<uint32_t> ranks;
    std::vector<std::string> hosts;    ///< of these ranks
    std::optional<ExitStatus> status;  ///< none: the end of these ranks is not known
    std::string text;
};

/// All output of a job. Of each stream the largest group is first; of two that are as large, the
/// one with the lower rank.
struct GatheredOutput {
    std::vector<GatheredGroup> out;
    std::vector<GatheredGroup> err;
    bool exits_differ = false;
    bool one_rank_a_host = true;
};

/// Holds what ranks write until the end of the job. Sans I/O.
///
/// Texts are paths in a tree whose edges are lines, so that what ranks have in common, from the
/// beginning on, is held once, and ranks that wrote the same are at the same place. What it holds
/// is bounded, not what ranks write: a thousand times the same megabyte is one megabyte.
class OutputGather {
  public:
    /// Bytes that differ, with some for each line of them.
    static constexpr size_t usual_limit = 64u << 20;
    explicit OutputGather(size_t limit = usual_limit) : limit_(limit) {}

    /// False: that was taken, and it is more than the limit.
    bool feed(uint32_t rank, Stream stream, std::string_view bytes);
    void ended(uint32_t rank, const ExitStatus& status) { ends_[rank] = status; }

    /// What the rank has written so far.
    std::string text_of(uint32_t rank, Stream stream) const;
    /// Of ranks 0 .. ranks - 1.
    GatheredOutput groups(uint32_t ranks,
                          const std::function<std::string(uint32_t)>& host_of) const;

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
    using Key = std::pair<uint32_t, bool>;  ///< a rank, and whether it is of standard error

    void go(Cursor& cursor, std::string_view line);
    static Key key_of(uint32_t rank, Stream stream) { return {rank, stream == Stream::err}; }
    std::string text_at(const Cursor& cursor) const;
    std::vector<GatheredGroup> groups_of(Stream stream, uint32_t ranks,
                                         const std::function<std::string(uint32_t)>& host_of) const;

    size_t limit_;
    size_t held_ = 0;
    std::unordered_map<std::string, uint32_t> line_numbers_;
    std::vector<const std::string*> lines_;
    std::vector<Step> steps_{1};                    ///< how each place is reached; the root is not
    std::unordered_map<uint64_t, Place> branches_;  ///< by place and line
    std::map<Key, Cursor> cursors_;
    std::map<uint32_t, ExitStatus> ends_;
};

}  // namespace launch
