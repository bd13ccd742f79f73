// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "core/base/error.hpp"
#include "core/wire/spawn_messages.hpp"
#include "modex/exchange/collective.hpp"
#include "modex/front/names.hpp"

namespace launch {

/// An operation of ranks of several jobs: PMIx's connect, disconnect and groups.
struct PmixCollective {
    Collective collective;
    CollectivePart part;                 ///< of this node
    std::chrono::milliseconds limit{0};  ///< 0: as long as the members live
};

/// A rank that runs, as tools want to know it.
struct PmixProcess {
    uint32_t rank = 0;
    uint32_t pid = 0;
    std::string host;
    std::string program;  ///< its file, as far as the job says
};

/// Requests of this node's ranks, and of tools, through the PMIx server. Called on the io_context's
/// thread only. Each `done` is called exactly once, on the same thread, perhaps before the call
/// returns.
class PmixEvents {
  public:
    using Done = std::function<void(Result<std::string>)>;
    using CollectiveDone = std::function<void(Result<CollectiveResult>)>;
    using TableDone = std::function<void(Result<std::vector<PmixProcess>>)>;
    using Found = std::function<void(NamesFound)>;

    virtual ~PmixEvents() = default;

    virtual void pmix_joined(uint32_t rank) = 0;
    virtual void pmix_finalized(uint32_t rank) = 0;
    /// All local members of `ranks` (ascending; empty: the whole job) have entered the same fence.
    /// `data` is what they contribute; `done` gets every node's contributions put end to end when
    /// `collect`, else anything; a usage Error where it is no fence that can be entered.
    virtual void pmix_fence(const std::vector<uint32_t>& ranks, std::string data, bool collect,
                            Done done) = 0;
    /// Asks for the data that a rank of another node has published.
    virtual void pmix_fetch(uint32_t rank, Done done) = 0;
    /// Asks for the data of a rank of another job, which this job has met (PmixServer::meet()).
    virtual void pmix_fetch_of(const std::string& nspace, uint32_t rank, Done done) = 0;
    /// All members that run here, of this job and of others, have come to it. An Error of the kind
    /// timed_out, not_found (there is no such process), usage, or another (a member has gone).
    virtual void pmix_collective(PmixCollective asked, CollectiveDone done) = 0;
    /// `once`: the first who looks one up takes it away. An Error if one of them is not published.
    /// The scope's host is to be added by who knows it.
    virtual void pmix_publish(uint32_t rank, std::vector<NamedValue> names, bool once,
                              NameScope scope, Done done) = 0;
    virtual void pmix_lookup(uint32_t rank, NameLookup lookup, Found found) = 0;
    /// An Error if one of them is not there.
    virtual void pmix_unpublish(uint32_t rank, std::vector<std::string> names, Done done) = 0;
    /// `done` gets the name of the new processes' namespace when they start.
    virtual void pmix_spawn(uint32_t rank, SpawnOrder order, Done done) = 0;
    /// An event of a rank for the others, or of a tool (no rank) for all ranks; those of this node
    /// have got it already. To be passed to PmixServer::tell_event() of every other node, once
    /// each.
    virtual void pmix_event(std::optional<uint32_t> rank, std::string data) = 0;
    /// The ranks that run, of this node or of the whole job, for a tool.
    virtual void pmix_table(bool local, TableDone done) = 0;
    /// A tool reads along what these ranks write, from now on; none does any more.
    virtual void pmix_output_wanted(const std::vector<uint32_t>& ranks) = 0;
    virtual void pmix_output_unwanted() = 0;
    virtual void pmix_abort(uint32_t rank, int code, std::string message) = 0;
};

}  // namespace launch
