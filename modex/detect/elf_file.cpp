// SPDX-License-Identifier: MIT
#include "modex/detect/elf_file.hpp"

#include <algorithm>
#include <cstddef>
#include <elf.h>
#include <string_view>

namespace launch {
namespace {

constexpr std::size_t head_size = 1024;
constexpr uint64_t most_segments = 128;
constexpr uint64_t most_dynamic_bytes = 16U << 10;
constexpr std::size_t most_needed = 256;
constexpr std::size_t longest_name = 256;
constexpr std::size_t longest_path = 4096;
constexpr uint64_t most_name_bytes = 4U << 20;

/// Where the fields of the two classes of ELF stand.
struct Layout {
    std::size_t word;  ///< bytes of an address
    std::size_t type;
    std::size_t machine;
    std::size_t segments_offset;
    std::size_t segment_size;
    std::size_t segment_count;
    std::size_t segment;       ///< bytes of its header
    std::size_t segment_type;  ///< this and what follows: within a segment's header
    std::size_t file_offset;
    std::size_t address;
    std::size_t file_size;
};

template <class FileHeader, class SegmentHeader>
constexpr Layout layout_of() {
    return {.word = sizeof(FileHeader::e_phoff),
            .type = offsetof(FileHeader, e_type),
            .machine = offsetof(FileHeader, e_machine),
            .segments_offset = offsetof(FileHeader, e_phoff),
            .segment_size = offsetof(FileHeader, e_phentsize),
            .segment_count = offsetof(FileHeader, e_phnum),
            .segment = sizeof(SegmentHeader),
            .segment_type = offsetof(SegmentHeader, p_type),
            .file_offset = offsetof(SegmentHeader, p_offset),
            .address = offsetof(SegmentHeader, p_vaddr),
            .file_size = offsetof(SegmentHeader, p_filesz)};
}

constexpr Layout layout_32 = layout_of<Elf32_Ehdr, Elf32_Phdr>();
constexpr Layout layout_64 = layout_of<Elf64_Ehdr, Elf64_Phdr>();

struct Segment {
    uint64_t type;
    uint64_t offset;
    uint64_t address;
    uint64_t size;
};

/// The dynamic section: what it says of names are offsets into a table of strings.
struct Dynamic {
    std::vector<uint64_t> names;
    std::optional<uint64_t> strings_address;
    uint64_t strings_size = 0;
    std::optional<uint64_t> rpath_offset;
    std::optional<uint64_t> runpath_offset;
};

/// Little-endian, whatever the machine; zero beyond the end.
uint64_t number_at(std::string_view bytes, std::size_t offset, std::size_t width) {
    if (offset > bytes.size() || width > bytes.size() - offset) return 0;
    uint64_t number = 0;
    for (std::size_t i = width; i > 0; --i)
        number = number << 8 | static_cast<unsigned char>(bytes[offset + i - 1]);
    return number;
}

bool begins_as(std::string_view head, char file_class) {
    return head.size() > EI_DATA && head.starts_with(ELFMAG) && head[EI_CLASS] == file_class &&
           head[EI_DATA] == ELFDATA2LSB;
}

std::vector<Segment> read_segments(OpenFile& file, std::string_view head, const Layout& layout) {
    const uint64_t size = number_at(head, layout.segment_size, 2);
    const uint64_t count = std::min(number_at(head, layout.segment_count, 2), most_segments);
    std::vector<Segment> segments;
    if (size != layout.segment) return segments;
    const std::string table =
        file.read(number_at(head, layout.segments_offset, layout.word), size * count);
    for (std::size_t at = 0; at + size <= table.size(); at += size) {
        segments.push_back({.type = number_at(table, at + layout.segment_type, 4),
                            .offset = number_at(table, at + layout.file_offset, layout.word),
                            .address = number_at(table, at + layout.address, layout.word),
                            .size = number_at(table, at + layout.file_size, layout.word)});
    }
    return segments;
}

Dynamic read_dynamic(OpenFile& file, const Segment& segment, const Layout& layout) {
    Dynamic dynamic;
    const std::string bytes = file.read(segment.offset, std::min(segment.size, most_dynamic_bytes));
    for (std::size_t at = 0; at + 2 * layout.word <= bytes.size(); at += 2 * layout.word) {
        const uint64_t tag = number_at(bytes, at, layout.word);
        const uint64_t value = number_at(bytes, at + layout.word, layout.word);
        if (tag == DT_NULL) break;
        if (tag == DT_NEEDED && dynamic.names.size() < most_needed) dynamic.names.push_back(value);
        if (tag == DT_STRTAB) dynamic.strings_address = value;
        if (tag == DT_STRSZ) dynamic.strings_size = value;
        if (tag == DT_RPATH) dynamic.rpath_offset = value;
        if (tag == DT_RUNPATH) dynamic.runpath_offset = value;
    }
    return dynamic;
}

/// Where in the file a part of the running program comes from.
std::optional<uint64_t> file_offset(const std::vector<Segment>& segments, uint64_t address) {
    for (const auto& segment : segments) {
        const bool inside = segment.type == PT_LOAD && address >= segment.address &&
                            address - segment.address < segment.size;
        if (inside) return segment.offset + (address - segment.address);
    }
    return std::nullopt;
}

/// Empty where it does not end within `longest`.
std::string read_text(OpenFile& file, uint64_t offset, std::size_t longest) {
    std::string text = file.read(offset, longest + 1);
    const auto end = text.find('\0');
    if (end == std::string::npos) return {};
    text.resize(end);
    return text;
}

void read_names(OpenFile& file, const Dynamic& dynamic, uint64_t strings, ElfFile& elf) {
    for (const uint64_t offset : dynamic.names) {
        std::string name = read_text(file, strings + offset, longest_name);
        if (!name.empty()) elf.needed.push_back(std::move(name));
    }
    if (dynamic.rpath_offset)
        elf.rpath = read_text(file, strings + *dynamic.rpath_offset, longest_path);
    if (dynamic.runpath_offset)
        elf.runpath = read_text(file, strings + *dynamic.runpath_offset, longest_path);
}

/// The part that both readers begin with.
struct Opened {
    ElfFile elf;  ///< without the names
    Dynamic dynamic;
    std::optional<uint64_t> strings;  ///< where in the file; nothing: it names nothing
};

std::optional<Opened> open_elf(OpenFile& file) {
    const std::string head = file.read(0, head_size);
    const bool is_64 = begins_as(head, ELFCLASS64);
    if (!is_64 && !begins_as(head, ELFCLASS32)) return std::nullopt;
    const Layout& layout = is_64 ? layout_64 : layout_32;
    const uint64_t type = number_at(head, layout.type, 2);
    if (type != ET_EXEC && type != ET_DYN) return std::nullopt;

    Opened opened;
    opened.elf.is_64 = is_64;
    opened.elf.machine = static_cast<uint16_t>(number_at(head, layout.machine, 2));
    const auto segments = read_segments(file, head, layout);
    const auto segment = std::find_if(segments.begin(), segments.end(),
                                      [](const Segment& s) { return s.type == PT_DYNAMIC; });
    if (segment == segments.end()) return opened;
    opened.dynamic = read_dynamic(file, *segment, layout);
    if (opened.dynamic.strings_address)
        opened.strings = file_offset(segments, *opened.dynamic.strings_address);
    return opened;
}

}  // namespace

std::optional<ElfFile> read_elf(OpenFile& file) {
    auto opened = open_elf(file);
    if (!opened) return std::nullopt;
    if (opened->strings) read_names(file, opened->dynamic, *opened->strings, opened->elf);
    return std::move(opened->elf);
}

std::string read_dynamic_names(OpenFile& file) {
    const auto opened = open_elf(file);
    if (!opened || !opened->strings) return {};
    return file.read(*opened->strings, std::min(opened->dynamic.strings_size, most_name_bytes));
}

}  // namespace launch
