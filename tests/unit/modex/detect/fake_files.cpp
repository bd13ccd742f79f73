// SPDX-License-Identifier: MIT
#include "tests/unit/modex/detect/fake_files.hpp"

#include <elf.h>

namespace launch {
namespace {

void append(std::string& bytes, uint64_t number, std::size_t width) {
    for (std::size_t i = 0; i < width; ++i, number >>= 8)
        bytes += static_cast<char>(number & 0xFF);
}

/// Strings of an ELF file, each named by its offset.
class Strings {
  public:
    uint64_t add(const std::string& text) {
        const auto offset = bytes_.size();
        bytes_ += text + '\0';
        return offset;
    }
    const std::string& bytes() const { return bytes_; }

  private:
    std::string bytes_ = std::string(1, '\0');
};

void append_segment(std::string& bytes, bool is_64, uint64_t type, uint64_t offset,
                    uint64_t address, uint64_t size) {
    const std::size_t word = is_64 ? 8 : 4;
    append(bytes, type, 4);
    if (is_64) append(bytes, 4, 4);
    append(bytes, offset, word);
    append(bytes, address, word);
    append(bytes, address, word);
    append(bytes, size, word);
    append(bytes, size, word);
    if (!is_64) append(bytes, 4, 4);
    append(bytes, 8, word);
}

}  // namespace

std::string ElfImage::bytes() const {
    constexpr uint64_t base = 0x10000;
    const std::size_t word = is_64 ? 8 : 4;
    const std::size_t header = is_64 ? sizeof(Elf64_Ehdr) : sizeof(Elf32_Ehdr);
    const std::size_t segment = is_64 ? sizeof(Elf64_Phdr) : sizeof(Elf32_Phdr);
    const std::size_t dynamic_at = header + 2 * segment;

    Strings strings;
    std::vector<std::pair<uint64_t, uint64_t>> entries;
    for (const auto& name : needed)
        entries.emplace_back(DT_NEEDED, strings.add(name));
    if (!rpath.empty()) entries.emplace_back(DT_RPATH, strings.add(rpath));
    if (!runpath.empty()) entries.emplace_back(DT_RUNPATH, strings.add(runpath));
    for (const auto& name : symbols)
        strings.add(name);
    const std::size_t dynamic_size = (entries.size() + 3) * 2 * word;
    entries.emplace_back(DT_STRSZ, strings.bytes().size());
    entries.emplace_back(DT_STRTAB, base + dynamic_at + dynamic_size);
    entries.emplace_back(DT_NULL, 0);

    std::string bytes = is_64 ? "\177ELF\2\1\1" : "\177ELF\1\1\1";
    bytes.resize(16, '\0');
    append(bytes, ET_DYN, 2);
    append(bytes, machine, 2);
    append(bytes, 1, 4);
    append(bytes, 0, word);
    append(bytes, header, word);
    append(bytes, 0, word);
    append(bytes, 0, 4);
    append(bytes, header, 2);
    append(bytes, segment, 2);
    append(bytes, 2, 2);
    bytes.resize(header, '\0');
    const std::size_t size = dynamic_at + dynamic_size + strings.bytes().size();
    append_segment(bytes, is_64, PT_LOAD, 0, base, size);
    append_segment(bytes, is_64, PT_DYNAMIC, dynamic_at, base + dynamic_at, dynamic_size);
    for (const auto& [tag, value] : entries) {
        append(bytes, tag, word);
        append(bytes, value, word);
    }
    return bytes + strings.bytes();
}

std::string ld_cache_image(const std::vector<std::pair<std::string, std::string>>& entries) {
    std::string bytes = "glibc-ld.so.cache1.1";
    append(bytes, entries.size(), 4);
    bytes.resize(48, '\0');
    std::string strings;
    const std::size_t strings_at = 48 + entries.size() * 24;
    for (const auto& [name, file] : entries) {
        append(bytes, 0x0303, 4);
        append(bytes, strings_at + strings.size(), 4);
        strings += name + '\0';
        append(bytes, strings_at + strings.size(), 4);
        strings += file + '\0';
        append(bytes, 0, 12);
    }
    return bytes + strings;
}

}  // namespace launch
