// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace launch {

/// A file that every host gets before ranks start there.
struct StagedFile {
    std::string source;  ///< where the head has it, absolute
    std::string dest;    ///< absolute, or relative to the job's private folder on each host
    uint64_t size = 0;
    uint32_t mode = 0;  ///< permission bits

    bool in_folder() const { return !dest.starts_with('/'); }
    bool operator==(const StagedFile&) const = default;
};

/// The files that every host needs on its disk (--stage).
struct StageSpec {
    std::vector<StagedFile> files;
    bool keep = false;  ///< they stay when the job has ended
    std::string token;  ///< random, in the names of what is made on hosts: nobody can guess them

    bool any() const { return !files.empty(); }
    uint64_t bytes() const {
        uint64_t sum = 0;
        for (const auto& file : files)
            sum += file.size;
        return sum;
    }
    bool operator==(const StageSpec&) const = default;
};

}  // namespace launch
