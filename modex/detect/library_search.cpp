// SPDX-License-Identifier: MIT
#include "modex/detect/library_search.hpp"

#include <algorithm>
#include <utility>

#include "modex/detect/ld_cache.hpp"

namespace launch {
namespace {

constexpr uint32_t most_files = 96;
constexpr uint32_t most_tries = 4096;
constexpr uint64_t longest_cache = 8U << 20;
constexpr std::size_t most_folders = 64;

std::vector<std::string> default_folders() {
    return {"/lib64", "/usr/lib64", "/lib", "/usr/lib", "/usr/local/lib"};
}

void replace_all(std::string& text, std::string_view word, const std::string& by) {
    for (auto at = text.find(word); at != std::string::npos; at = text.find(word, at + by.size()))
        text.replace(at, word.size(), by);
}

}  // namespace

std::optional<FoundElf> LibrarySearch::read(const std::string& path) {
    if (read_ >= most_files || ++tried_ > most_tries) return std::nullopt;
    const auto file = files_.open(path);
    if (!file) return std::nullopt;
    ++read_;
    auto elf = read_elf(*file);
    if (!elf) return std::nullopt;
    return FoundElf{path, std::move(*elf)};
}

std::string LibrarySearch::symbols_of(const FoundElf& library) {
    const auto file = files_.open(library.path);
    return file ? read_dynamic_names(*file) : std::string();
}

std::optional<FoundElf> LibrarySearch::read_fitting(const std::string& path, const FoundElf& by) {
    auto found = read(path);
    if (found && !found->elf.fits(by.elf)) found.reset();
    return found;
}

std::optional<FoundElf> LibrarySearch::find(const std::string& name, const FoundElf& by,
                                            const std::string& preferred) {
    if (name.find('/') != std::string::npos) return read_fitting(name, by);
    std::optional<FoundElf> found;
    // An rpath is obsolete, and counts only where there is no runpath.
    if (by.elf.runpath.empty()) found = find_in(folders_of(by.elf.rpath, by), name, by);
    if (!found) found = find_in(folders_of(preferred, by), name, by);
    if (!found) found = find_in(folders_of(by.elf.runpath, by), name, by);
    if (found) return found;
    for (const auto& path : find_in_ld_cache(cache(), name)) {
        found = read_fitting(path, by);
        if (found) return found;
    }
    return find_in(default_folders(), name, by);
}

std::optional<FoundElf> LibrarySearch::find_in(const std::vector<std::string>& folders,
                                               const std::string& name, const FoundElf& by) {
    for (const auto& folder : folders) {
        auto path = folder;
        auto found = read_fitting(path.append("/").append(name), by);
        if (found) return found;
    }
    return std::nullopt;
}

std::vector<std::string> LibrarySearch::folders_of(std::string_view path, const FoundElf& by) {
    std::vector<std::string> folders;
    while (!path.empty() && folders.size() < most_folders) {
        const auto end = std::min(path.find_first_of(":;"), path.size());
        std::string folder(path.substr(0, end));
        path.remove_prefix(std::min(end + 1, path.size()));
        if (folder.find('$') != std::string::npos) {
            const std::string real = files_.real_path(by.path);
            const std::string origin = real.substr(0, real.rfind('/'));
            replace_all(folder, "${ORIGIN}", origin);
            replace_all(folder, "$ORIGIN", origin);
            replace_all(folder, "${LIB}", by.elf.is_64 ? "lib64" : "lib");
            replace_all(folder, "$LIB", by.elf.is_64 ? "lib64" : "lib");
        }
        if (folder.starts_with('/')) folders.push_back(std::move(folder));
    }
    return folders;
}

const std::string& LibrarySearch::cache() {
    if (!cache_) {
        const auto file = files_.open("/etc/ld.so.cache");
        cache_.emplace();
        if (file) cache_ = file->read(0, std::min<uint64_t>(file->size(), longest_cache));
    }
    return *cache_;
}

}  // namespace launch
