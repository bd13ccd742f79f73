// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "modex/detect/elf_file.hpp"
#include "modex/detect/file_access.hpp"

namespace launch {

/// An ELF file and where it is.
struct FoundElf {
    std::string path;
    ElfFile elf;
};

/// Finds the libraries that programs name, where the dynamic loader of glibc would.
class LibrarySearch {
  public:
    explicit LibrarySearch(FileAccess& files) : files_(files) {}

    /// The library that `name` stands for in `by`. `preferred` is LD_LIBRARY_PATH.
    std::optional<FoundElf> find(const std::string& name, const FoundElf& by,
                                 const std::string& preferred);

    /// Nothing for what is no ELF file; and for any once very many have been read.
    std::optional<FoundElf> read(const std::string& path);

    /// See read_dynamic_names().
    std::string symbols_of(const FoundElf& library);

  private:
    std::optional<FoundElf> find_in(const std::vector<std::string>& folders,
                                    const std::string& name, const FoundElf& by);
    std::optional<FoundElf> read_fitting(const std::string& path, const FoundElf& by);
    std::vector<std::string> folders_of(std::string_view path, const FoundElf& by);
    const std::string& cache();

    FileAccess& files_;
    std::optional<std::string> cache_;
    uint32_t read_ = 0;
    uint32_t tried_ = 0;
};

}  // namespace launch
