// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "modex/detect/file_access.hpp"

namespace launch {

/// The libraries that an executable or a shared library needs, according to its headers.
struct ElfFile {
    bool is_64 = true;
    uint16_t machine = 0;
    std::vector<std::string> needed;  ///< empty where it is linked statically
    std::string rpath;
    std::string runpath;

    /// May both be parts of one process?
    bool fits(const ElfFile& other) const {
        return is_64 == other.is_64 && machine == other.machine;
    }
};

/// Nothing for what is no little-endian ELF executable or library. Reads a few kilobytes, whatever
/// the file says; entries that make no sense are left out.
std::optional<ElfFile> read_elf(OpenFile& file);

/// The names of the symbols that the file offers or wants, and of the libraries that it needs, each
/// between two zero bytes; the first 4 MiB of them. Empty where read_elf() has nothing.
std::string read_dynamic_names(OpenFile& file);

}  // namespace launch
