#pragma once

#include <cstdint>
#include <map>

#include "core/run/job_upstream.hpp"

namespace launch {

/// Makes one demand for standard input of those of a node's ranks and children that read it.
/// All readers get the same bytes, so as much may come as the slowest of them has asked for;
/// readers that have left do not count. Sans I/O.
class InputMerge {
  public:
    using Key = uint64_t;
    static Key child_key(NodeIndex first) { return (uint64_t{1} << 32) + first; }

    explicit InputMerge(JobUpstream& upstream) : upstream_(upstream) {}

    /// Ranks are keyed by their number, children by child_key. Unknown keys are ignored later.
    void add(Key reader) { granted_.emplace(reader, 0); }
    /// All readers are known: from now on demands are told upstream.
    void open();
    void wanted(Key reader, uint64_t bytes);
    void refused(Key reader);
    bool reads(Key reader) const { return granted_.contains(reader); }

  private:
    void publish();

    JobUpstream& upstream_;
    std::map<Key, uint64_t> granted_;
    uint64_t published_ = 0;
    bool open_ = false;
    bool refused_ = false;
};

}  // namespace launch
