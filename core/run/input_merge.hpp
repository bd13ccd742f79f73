// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <map>
#include <utility>

#include "core/run/job_upstream.hpp"
#include "core/run/passed_input.hpp"

namespace launch {

/// Makes one demand for standard input of those of a node's ranks and children that read it.
/// All readers get the same bytes, so as much may come as the slowest of them has asked for;
/// readers that have left do not count. Sans I/O.
class InputMerge {
  public:
    using Key = uint64_t;
    static Key child_key(NodeIndex first) { return (uint64_t{1} << 32) + first; }

    /// `passed`: what of the input has come to this node.
    InputMerge(JobUpstream& upstream, const PassedInput& passed)
        : upstream_(upstream), passed_(passed) {}

    /// A rank, by its number.
    void add_rank(Key rank) { readers_.emplace(rank, Reader{Phase::reads, UINT64_MAX, 0}); }
    /// By child_key. It is given nothing before it has said how far it is.
    void add_child(Key child) { add(child, {Phase::waits, 0, 0}); }
    /// Adds a child that was below another child: it has got at least as far as that one.
    void add_child_from(Key child, Key above);
    /// All readers are known: from now on demands go upstream.
    void open();
    /// A rank takes so many bytes more; but one that is unknown, or not any more.
    void wanted(Key rank, uint64_t bytes);
    /// By a child, also by one that is not known to have readers, or none any more. True: it
    /// waited, and is to be given all that there is from where it is.
    bool granted(Key child, const InputGrant& grant);
    void refused(Key reader);
    bool knows(Key reader) const { return readers_.contains(reader); }
    /// It is given what comes.
    bool reads(Key reader) const;
    /// The position before which all readers below this node's children have the input.
    uint64_t needed_from() const;
    /// This node has another parent, which knows nothing of the messages to the old one.
    void tell_again();

  private:
    enum class Phase : uint8_t { waits, reads };
    struct Reader {
        Phase phase{};
        uint64_t had = 0;  ///< a child's position: all nodes below it have the input before it
        uint64_t granted = 0;
    };

    void add(Key child, Reader reader) {
        readers_.insert_or_assign(child, reader);
        if (std::exchange(refused_, false)) published_ = 0;  // all others had left
    }
    InputGrant grant() const;
    void publish();

    JobUpstream& upstream_;
    const PassedInput& passed_;
    std::map<Key, Reader> readers_;
    uint64_t published_ = 0;
    bool open_ = false;
    bool refused_ = false;
};

}  // namespace launch
