// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/bind/locality.hpp"
#include "core/job/placement.hpp"

namespace launch {

/// One program of the job, as PMIx wants to know it ("app").
struct PmixProgram {
    uint32_t first_rank = 0;
    uint32_t ranks = 0;
    std::vector<std::string> argv;
    std::string wdir;
};

/// Where the server of a node and its ranks keep their files.
struct PmixFolders {
    std::string top;  ///< see pmix_folder(); made by the server and removed when it closes
    /// Of libpmix itself, where the process may have more jobs than this one, whose folders are in
    /// it: made with the first, and left until the process ends. Empty: this is the only job.
    std::string shared = {};

    const std::string& of_server() const { return shared.empty() ? top : shared; }

    /// The folder that ranks get as the job's. launch keeps no files in it: each rank of Open MPI 4
    /// lets libpmix empty it when that rank finalizes, whatever the others have there.
    std::string session() const { return top + "/session"; }
    std::string of_rank(uint32_t rank) const { return session() + "/" + std::to_string(rank); }
    /// For files that ranks share as memory.
    std::string memory() const { return top + "/memory"; }
};

/// The facts about the job that a node's PMIx server needs before the first rank starts.
struct PmixJob {
    std::string nspace;  ///< the job's id: the same on every node
    uint32_t size = 1;
    uint32_t universe_size = 1;               ///< slots of the job
    uint32_t node = 0;                        ///< this node's index in the vectors below
    std::vector<std::string> hosts;           ///< the names of all nodes, each once
    std::vector<std::vector<RankRun>> ranks;  ///< of each node
    std::vector<PmixProgram> programs;        ///< ascending by first_rank
    std::string spawner;                      ///< the namespace of who asked for it; empty: nobody
    uint32_t spawner_rank = 0;
    uint32_t processors = 0;         ///< of this node, for its ranks; 0: not known
    std::vector<RankBinding> bound;  ///< of this node's ranks, by local rank; empty: none is
    PmixFolders folders;
    bool tools = false;          ///< debuggers and their kind may connect to the server
    bool stops_in_init = false;  ///< ranks wait in PMIx_Init() for a debugger
    std::string library = {};    ///< the libpmix to try first, for the process's first job

    /// That rank of this node has CPUs of its own.
    bool is_bound(std::size_t local_rank) const {
        return local_rank < bound.size() && !bound[local_rank].cpus.empty();
    }
    /// This node has more ranks than processors.
    bool oversubscribed() const { return processors > 0 && local_size(ranks[node]) > processors; }
};

/// Names the top folder (PmixFolders::top) below `parent`, which usable_folder() has found. The
/// name is known before the folder exists, so that the guard can remove it after a kill.
std::string pmix_folder(const std::string& parent, const std::string& job_id, uint32_t node);

}  // namespace launch
