// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/job/rank_limits.hpp"

namespace launch {

/// A host name of the job, as one host resolves it.
struct NameFact {
    std::string name;
    std::vector<std::string> addresses;  ///< sorted, each once
    std::string fault;                   ///< why there are no addresses

    bool operator==(const NameFact&) const = default;
};

/// A folder in which launch, or a program, puts files on a host.
struct FolderFact {
    enum class Use : uint8_t {
        launch,     ///< launch itself is put there, where it is missing
        temporary,  ///< programs and --stage put their files there
        memory,     ///< processes of one host share memory there
        last = memory,
    };
    Use use = Use::launch;
    std::string path;
    uint64_t free_bytes = 0;  ///< for this user
    bool noexec = false;      ///< nothing can be run from there
    std::string fault;        ///< why it is not to be written to

    bool operator==(const FolderFact&) const = default;
};

/// A library by which the processes of a job talk.
struct LibraryFact {
    std::string name;  ///< "Open MPI", "MPICH", "PMIx"
    std::string version;

    bool operator==(const LibraryFact&) const = default;
};

/// The facts that a process of the job finds on its host.
struct HostFacts {
    std::string libc;  ///< the version of glibc
    bool is_root = false;
    bool has_fast_network = false;  ///< one whose drivers lock memory: InfiniBand and its kin
    bool has_wdir = true;           ///< the folder where launch was started is there
    HostLimit files;
    HostLimit locked_memory;
    HostLimit processes;
    std::vector<NameFact> names;
    std::vector<FolderFact> folders;
    std::vector<LibraryFact> libraries;
    uint64_t clock_us = 0;  ///< of the Unix epoch, by the host's calendar, at the end of the look
    uint64_t took_us = 0;   ///< the look, up to then
};

/// As lines of text, which a rank writes to its standard output.
std::string facts_text(const HostFacts& facts);

/// The way back. Nothing: it is no such text, or more than hosts have to say. Takes no more memory
/// than a few times the text.
std::optional<HostFacts> read_facts(std::string_view text);

}  // namespace launch
