#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "core/base/error.hpp"

namespace launch {

/// What the ranks of this node ask through the PMIx server. Called on the io_context's thread only.
/// Each `done` is called exactly once, on the same thread, perhaps before the call returns.
class PmixEvents {
  public:
    using Done = std::function<void(Result<std::string>)>;

    virtual ~PmixEvents() = default;

    virtual void pmix_joined(uint32_t rank) = 0;
    virtual void pmix_finalized(uint32_t rank) = 0;
    /// All local members of `ranks` (ascending; empty: the whole job) have entered the same fence.
    /// `data` is what they contribute; `done` gets every node's contributions put end to end when
    /// `collect`, else anything; a usage Error where it is no fence that can be entered.
    virtual void pmix_fence(const std::vector<uint32_t>& ranks, std::string data, bool collect,
                            Done done) = 0;
    /// The published data of a rank that runs on another node.
    virtual void pmix_fetch(uint32_t rank, Done done) = 0;
    /// `once`: the first who looks it up takes it away.
    virtual void pmix_publish(uint32_t rank, std::string key, std::string value, bool once,
                              Done done) = 0;
    /// `awaits`: answered when somebody has published it, or with an Error of the kind timed_out
    /// after pmix_give_up() with the number that this returns.
    virtual uint64_t pmix_lookup(uint32_t rank, std::string key, bool awaits, Done done) = 0;
    /// Of one that is answered already: nothing.
    virtual void pmix_give_up(uint64_t lookup) = 0;
    virtual void pmix_unpublish(std::string key, Done done) = 0;
    /// A rank tells the others something, of which those of this node have been told. For
    /// PmixServer::tell_event() of every other node, once each.
    virtual void pmix_event(uint32_t rank, std::string data) = 0;
    virtual void pmix_abort(uint32_t rank, int code, std::string message) = 0;
};

}  // namespace launch
